package dev.hotstate.monitors;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.monitors.Monitors.Part;
import dev.hotstate.monitors.Monitors.Query;
import dev.hotstate.monitors.Monitors.Sort;
import dev.hotstate.monitors.Monitors.Watched;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One part of a list: which monitors are on it is decided on what this instance has in memory and, where state or latency
 * matter, on the indexes in Redis; only those of the part are looked at. A cursor says after which key the part begins,
 * so a list goes on rightly when monitors come and go meanwhile.
 */
final class Listing {
    private static final List<State> WORST_FIRST =
            List.of(State.DOWN, State.STALE, State.DEGRADED, State.PENDING, State.MAINTENANCE, State.UP, State.PAUSED);
    static final List<State> TOLD = List.of(State.DOWN, State.STALE, State.DEGRADED, State.PENDING, State.MAINTENANCE);

    private final Directory directory;
    private final RedisLive redis;
    private final Function<List<Definition>, List<Watched>> look;

    Listing(Directory directory, RedisLive redis, Function<List<Definition>, List<Watched>> look) {
        this.directory = directory;
        this.redis = redis;
        this.look = look;
    }

    /** @throws IllegalArgumentException where the cursor is none of ours */
    Part part(Query query) {
        if (query.state() == null && query.sort() == Sort.NAME) {
            Directory.Page page = directory.page(filter(query), query.cursor(), query.limit());
            return new Part(look.apply(page.items()), page.next());
        }
        Place after = query.cursor() == null ? null : Place.parse(query.cursor());
        List<Row> found = query.sort() == Sort.LATENCY
                ? slowest(lines(query), after, query.limit() + 1)
                : worst(lines(query), ranks(query), after, query.limit() + 1);
        boolean more = found.size() > query.limit();
        List<Row> shown = more ? found.subList(0, query.limit()) : found;
        List<Watched> watched = look
                .apply(shown.stream().map(row -> row.line().definition()).toList())
                .stream()
                .filter(item -> query.state() == null || item.live().state() == query.state())
                .toList();
        return new Part(watched, more ? Place.of(shown.getLast()).cursor() : null);
    }

    /** One that is on the list: the lower its order the sooner; those of one order are by name. */
    private record Row(long order, Roll.Line line) {}

    /** Where a part ended. */
    private record Place(long order, String name, String id) {
        static Place of(Row row) {
            return new Place(row.order(), row.line().name(), row.line().id());
        }

        boolean isBefore(long otherOrder, Roll.Line line) {
            if (order != otherOrder) {
                return order < otherOrder;
            }
            int byName = name.compareTo(line.name());
            return byName < 0 || byName == 0 && id.compareTo(line.id()) < 0;
        }

        String cursor() {
            String text = order + " " + name + "\0" + id;
            return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
        }

        static Place parse(String cursor) {
            try {
                String text = new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
                int end = Math.max(0, text.indexOf(' '));
                int id = text.lastIndexOf('\0');
                return new Place(Long.parseLong(text, 0, end, 10), text.substring(end + 1, id), text.substring(id + 1));
            } catch (IllegalArgumentException | StringIndexOutOfBoundsException unknown) {
                throw new IllegalArgumentException("cursor is not one that a list has answered", unknown);
            }
        }
    }

    /** By name, as the directory has them. */
    private Stream<Roll.Line> lines(Query query) {
        Stream<Roll.Line> chosen = directory.lines(filter(query));
        State state = query.state();
        if (state == State.PAUSED) {
            return chosen.filter(line -> line.definition().monitor().paused());
        }
        if (state == null) {
            return chosen;
        }
        Set<String> ids = new HashSet<>(redis.in(state));
        return chosen.filter(line -> ids.contains(line.id()));
    }

    /**
     * The first of them by rank, those of one rank by name: each rank fills up by itself, so nothing is sorted, and what is
     * beyond the part costs a look at its rank.
     */
    private static List<Row> worst(
            Stream<Roll.Line> lines, ToIntFunction<Definition> ranks, @Nullable Place after, int most) {
        List<List<Row>> byRank = new ArrayList<>();
        WORST_FIRST.forEach(state -> byRank.add(new ArrayList<>()));
        lines.forEach(line -> {
            int rank = ranks.applyAsInt(line.definition());
            List<Row> sameRank = byRank.get(rank);
            if (sameRank.size() < most && (after == null || after.isBefore(rank, line))) {
                sameRank.add(new Row(rank, line));
            }
        });
        return byRank.stream().flatMap(List::stream).limit(most).toList();
    }

    /** Those that take equally long stay in the order of their names. */
    private List<Row> slowest(Stream<Roll.Line> lines, @Nullable Place after, int most) {
        Map<String, Long> latencies = redis.latencies();
        return lines.map(line -> new Row(-latencies.getOrDefault(line.id(), 0L), line))
                .filter(row -> after == null || after.isBefore(row.order(), row.line()))
                .sorted(Comparator.comparingLong(Row::order))
                .limit(most)
                .toList();
    }

    /** Nobody asks who is up: most are, and they are those of whom nothing else is said. */
    private ToIntFunction<Definition> ranks(Query query) {
        if (query.sort() != Sort.STATE || query.state() != null) {
            return definition -> 0;
        }
        Map<String, Integer> ranks = new HashMap<>();
        redis.in(TOLD, (state, id) -> ranks.put(id, WORST_FIRST.indexOf(state)));
        int up = WORST_FIRST.indexOf(State.UP);
        int paused = WORST_FIRST.indexOf(State.PAUSED);
        return definition -> definition.monitor().paused() ? paused : ranks.getOrDefault(definition.id(), up);
    }

    private static Filter filter(Query query) {
        return new Filter(query.tag(), query.text());
    }
}
