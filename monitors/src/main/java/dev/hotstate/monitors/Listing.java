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
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One part of a list: which monitors are on it is decided on what this instance has in memory and, where state or latency
 * matter, on the indexes in Redis; only those of the part are looked at. A cursor says after which key the part begins,
 * so a list goes on rightly when monitors come and go meanwhile.
 */
final class Listing {
    private static final List<State> WORST_FIRST =
            List.of(State.DOWN, State.STALE, State.DEGRADED, State.PENDING, State.MAINTENANCE, State.UP, State.PAUSED);

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
        List<Row> rows = rows(query);
        String after = query.cursor() == null ? null : decoded(query.cursor());
        List<Row> found = rows.stream()
                .filter(row -> after == null || row.key().compareTo(after) > 0)
                .limit(query.limit() + 1L)
                .toList();
        boolean more = found.size() > query.limit();
        List<Row> shown = more ? found.subList(0, query.limit()) : found;
        List<Watched> watched = look.apply(shown.stream().map(Row::definition).toList()).stream()
                .filter(item -> query.state() == null || item.live().state() == query.state())
                .toList();
        return new Part(watched, more ? encoded(shown.getLast().key()) : null);
    }

    private record Row(String key, Definition definition) {}

    private List<Row> rows(Query query) {
        List<Definition> chosen = directory.select(filter(query), null).toList();
        State state = query.state();
        if (state != null) {
            Set<String> ids = state == State.PAUSED ? Set.of() : new HashSet<>(redis.in(state));
            chosen = chosen.stream()
                    .filter(definition ->
                            state == State.PAUSED ? definition.monitor().paused() : ids.contains(definition.id()))
                    .toList();
        }
        Function<Definition, String> prefix = prefix(query.sort(), state);
        List<Row> rows = new ArrayList<>(chosen.size());
        chosen.forEach(definition -> rows.add(new Row(prefix.apply(definition) + name(definition), definition)));
        rows.sort(Comparator.comparing(Row::key));
        return rows;
    }

    private Function<Definition, String> prefix(Sort sort, @Nullable State onlyState) {
        return switch (sort) {
            case NAME -> definition -> "";
            case STATE -> onlyState == null ? byState() : definition -> "";
            case LATENCY -> byLatency();
        };
    }

    private Function<Definition, String> byState() {
        Map<String, Integer> ranks = new HashMap<>();
        for (State state : WORST_FIRST) {
            if (state != State.PAUSED) {
                redis.in(state).forEach(id -> ranks.put(id, WORST_FIRST.indexOf(state)));
            }
        }
        int paused = WORST_FIRST.indexOf(State.PAUSED);
        return definition -> ranks.getOrDefault(definition.id(), paused) + " ";
    }

    private Function<Definition, String> byLatency() {
        Map<String, Long> latencies = redis.latencies();
        return definition ->
                String.format(Locale.ROOT, "%010d ", 9_999_999_999L - latencies.getOrDefault(definition.id(), 0L));
    }

    private static Filter filter(Query query) {
        return new Filter(query.tag(), query.text());
    }

    private static String name(Definition definition) {
        return definition.monitor().name().toLowerCase(Locale.ROOT) + "\0" + definition.id();
    }

    private static String encoded(String key) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(key.getBytes(UTF_8));
    }

    private static String decoded(String cursor) {
        try {
            return new String(Base64.getUrlDecoder().decode(cursor), UTF_8);
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException("cursor is not one that a list has answered", unknown);
        }
    }
}
