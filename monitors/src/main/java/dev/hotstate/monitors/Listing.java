package dev.hotstate.monitors;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.monitors.Monitors.Part;
import dev.hotstate.monitors.Monitors.Query;
import dev.hotstate.monitors.Monitors.Sort;
import dev.hotstate.monitors.Monitors.Watched;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToLongFunction;
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
    private static final List<State> TOLD =
            List.of(State.DOWN, State.STALE, State.DEGRADED, State.PENDING, State.MAINTENANCE);

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
        List<Row> found = rows(query).stream()
                .filter(row -> after == null || after.isBefore(row))
                .sorted(Comparator.comparingLong(Row::order))
                .limit(query.limit() + 1L)
                .toList();
        boolean more = found.size() > query.limit();
        List<Row> shown = more ? found.subList(0, query.limit()) : found;
        List<Watched> watched = look.apply(shown.stream().map(Row::definition).toList()).stream()
                .filter(item -> query.state() == null || item.live().state() == query.state())
                .toList();
        return new Part(watched, more ? Place.of(shown.getLast()).cursor() : null);
    }

    /** One that is on the list: the lower its order the sooner; those of one order are by name. */
    private record Row(long order, Definition definition) {
        String name() {
            return definition.monitor().name().toLowerCase(Locale.ROOT) + "\0" + definition.id();
        }
    }

    /** Where a part ended. */
    private record Place(long order, String name) {
        static Place of(Row row) {
            return new Place(row.order(), row.name());
        }

        boolean isBefore(Row row) {
            return order < row.order() || order == row.order() && name.compareTo(row.name()) < 0;
        }

        String cursor() {
            return Base64.getUrlEncoder().withoutPadding().encodeToString((order + " " + name).getBytes(UTF_8));
        }

        static Place parse(String cursor) {
            try {
                String text = new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
                int end = Math.max(0, text.indexOf(' '));
                return new Place(Long.parseLong(text, 0, end, 10), text.substring(end + 1));
            } catch (IllegalArgumentException unknown) {
                throw new IllegalArgumentException("cursor is not one that a list has answered", unknown);
            }
        }
    }

    /** By name: the directory has them in that order, and sorting by the order of a row leaves it so. */
    private List<Row> rows(Query query) {
        Stream<Definition> chosen = directory.select(filter(query), null);
        State state = query.state();
        if (state == State.PAUSED) {
            chosen = chosen.filter(definition -> definition.monitor().paused());
        } else if (state != null) {
            Set<String> ids = new HashSet<>(redis.in(state));
            chosen = chosen.filter(definition -> ids.contains(definition.id()));
        }
        ToLongFunction<Definition> order = order(query.sort(), state);
        return chosen.map(definition -> new Row(order.applyAsLong(definition), definition))
                .toList();
    }

    private ToLongFunction<Definition> order(Sort sort, @Nullable State onlyState) {
        return switch (sort) {
            case NAME -> definition -> 0;
            case STATE -> onlyState == null ? byState() : definition -> 0;
            case LATENCY -> byLatency();
        };
    }

    /** Nobody asks who is up: most are, and they are those of whom nothing else is said. */
    private ToLongFunction<Definition> byState() {
        Map<String, State> states = new HashMap<>();
        redis.in(TOLD, (state, id) -> states.put(id, state));
        return definition -> WORST_FIRST.indexOf(
                definition.monitor().paused() ? State.PAUSED : states.getOrDefault(definition.id(), State.UP));
    }

    private ToLongFunction<Definition> byLatency() {
        Map<String, Long> latencies = redis.latencies();
        return definition -> -latencies.getOrDefault(definition.id(), 0L);
    }

    private static Filter filter(Query query) {
        return new Filter(query.tag(), query.text());
    }
}
