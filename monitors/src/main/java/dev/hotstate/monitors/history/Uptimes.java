package dev.hotstate.monitors.history;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The windows of uptime, the longest first, each of which ends now. The two short ones begin with a minute, the two long
 * ones with an hour. */
enum Uptimes {
    D90("90d", Duration.ofDays(90), Level.HOUR),
    D30("30d", Duration.ofDays(30), Level.HOUR),
    D7("7d", Duration.ofDays(7), Level.MINUTE),
    H24("24h", Duration.ofHours(24), Level.MINUTE);

    private final String word;
    private final Duration length;
    private final Level begin;

    Uptimes(String word, Duration length, Level begin) {
        this.word = word;
        this.length = length;
        this.begin = begin;
    }

    /** A cell from the beginning of each window to that of the next. */
    static Grid grid(long now) {
        LongStream begins = Stream.of(values()).mapToLong(window -> window.begin.floor(now - window.length.toMillis()));
        return Grid.of(LongStream.concat(begins, LongStream.of(now)).toArray());
    }

    /** In percent, the shortest window first; null where nothing is known. */
    static Map<String, @Nullable Double> of(List<Tally> cells) {
        Map<String, @Nullable Double> uptimes = new LinkedHashMap<>();
        Tally sum = new Tally();
        for (int i = values().length - 1; i >= 0; i--) {
            sum.merge(cells.get(i));
            uptimes.put(values()[i].word, sum.uptime());
        }
        return uptimes;
    }
}
