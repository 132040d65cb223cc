package dev.hotstate.limits;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * What was counted in stretches of time that are over. Nothing is added to them any more, so each is read from Redis
 * once, and a page that asks every second costs Redis next to nothing. What Redis has lost since stays known here.
 */
final class TallyHistory<T> {
    private final Function<List<Long>, List<T>> reader;

    /** Replaced, never changed. */
    private volatile SortedMap<Long, T> past = new TreeMap<>();

    /** @param reader asks Redis for these stretches, and answers in their order */
    TallyHistory(Function<List<Long>, List<T>> reader) {
        this.reader = reader;
    }

    /**
     * So many stretches before the one under way, oldest first. Those from that one on are forgotten: if there are any,
     * another Redis took over whose clock is behind, and what seemed to be over goes on.
     */
    List<T> before(long current, int count) {
        SortedMap<Long, T> known = new TreeMap<>(past.subMap(current - count, current));
        List<Long> unknown = LongStream.range(current - count, current)
                .boxed()
                .filter(stretch -> !known.containsKey(stretch))
                .toList();
        if (!unknown.isEmpty()) {
            List<T> read = reader.apply(unknown);
            for (int i = 0; i < unknown.size(); i++) {
                known.put(unknown.get(i), read.get(i));
            }
            past = known;
        }
        return List.copyOf(known.values());
    }
}
