package dev.hotstate.traffic;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Key;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.traffic.Checkpoint.EndpointTotals;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/** What can be asked of the fleet's counters. */
final class Reading {
    private static final Comparator<Line> BUSIEST_FIRST =
            Comparator.comparingLong(Line::requests).reversed().thenComparing(Line::name);
    private static final int HOURS = 24;
    private static final int CHECKPOINT_ATTEMPTS = 3;

    private final RedisFigures redis;
    private final InstantSource clock;

    Reading(RedisFigures redis, InstantSource clock) {
        this.redis = redis;
        this.clock = clock;
    }

    /** Whether the counters are whole: Redis was not lost since they were begun, or they were brought back. */
    boolean isAlive() {
        return redis.life().isPresent();
    }

    Summary summary(Window window) {
        List<Double> numbers = redis.numbers(List.of(
                TrafficKeys.CURRENT.of(),
                TrafficKeys.MAX_CURRENT.of(),
                TrafficKeys.TOTAL.of(),
                TrafficKeys.ACCEPTED.of(),
                TrafficKeys.SPEED.of(),
                TrafficKeys.MAX_SPEED.of(),
                TrafficKeys.ERRORS.of()));
        Figures times = merged(TrafficKeys.FLEET, window, field -> "").getOrDefault("", new Figures());
        return new Summary(
                new Summary.Connections(whole(numbers, 0), whole(numbers, 1)),
                new Summary.Requests(whole(numbers, 2), whole(numbers, 3), whole(numbers, 4), whole(numbers, 5)),
                whole(numbers, 6),
                errorsByStatus(),
                Line.of(window.toString(), times),
                redis.living().size());
    }

    List<Line> endpoints(Window window) {
        Map<String, String> names = redis.endpoints();
        return lines(merged(TrafficKeys.SLOT, window, field -> {
            String segment = part(field, 2);
            return names.getOrDefault(segment, segment);
        }));
    }

    List<Line> instances(Window window) {
        return lines(merged(TrafficKeys.FLEET, window, field -> part(field, 1)));
    }

    Set<String> living() {
        return new TreeSet<>(redis.living());
    }

    /** Oldest first; the last is the hour that runs. */
    List<Line> hourly() {
        List<Line> hours = series(Window.DAY);
        return hours.subList(hours.size() - HOURS, hours.size());
    }

    /** A line for each slot, oldest first; the last is the one that runs. */
    List<Line> series(Window window) {
        List<Long> starts = window.starts(clock.millis());
        List<Long> begun = starts.subList(0, starts.size() - 1);
        List<Map<String, String>> slots = slots(TrafficKeys.FLEET, window.level(), begun);
        List<Line> lines = new ArrayList<>(begun.size());
        for (int i = 0; i < begun.size(); i++) {
            Figures slot = new Figures();
            slots.get(i).values().forEach(text -> slot.merge(Figures.parse(text)));
            lines.add(Line.of(Instant.ofEpochMilli(begun.get(i)).toString(), slot));
        }
        return lines;
    }

    Optional<EndpointDetail> endpoint(String name) {
        String segment = Names.segment(name);
        if (!redis.knows(segment)) {
            return Optional.empty();
        }
        EndpointTotals totals = totals(List.of(segment)).getFirst();
        Map<Window, Line> windows = new EnumMap<>(Window.class);
        for (Window window : Window.values()) {
            windows.put(window, Line.of(window.toString(), figures(segment, window)));
        }
        Double average = totals.responses() == 0 ? null : totals.sumMs() / totals.responses();
        return Optional.of(
                new EndpointDetail(name, totals.requests(), totals.errors(), average, windows, samples(segment)));
    }

    /** Endpoints by hour, from that time on, as far as they are kept. */
    List<HourRow> hours(Instant from) {
        Map<String, String> names = redis.endpoints();
        long now = clock.millis();
        List<Long> starts = Window.DAY.starts(now).stream()
                .filter(start -> start >= Level.HOUR.start(from.toEpochMilli()))
                .toList();
        List<Map<String, String>> slots = slots(TrafficKeys.SLOT, Level.HOUR, starts);
        List<HourRow> rows = new ArrayList<>();
        for (int i = 0; i < starts.size(); i++) {
            Instant hour = Instant.ofEpochMilli(starts.get(i));
            merge(List.of(slots.get(i)), field -> part(field, 2))
                    .forEach((segment, figures) -> rows.add(new HourRow(
                            hour,
                            names.getOrDefault(segment, segment),
                            figures.requests(),
                            figures.errors(),
                            figures.sumMicros(),
                            figures.histogram().toString())));
        }
        return rows;
    }

    /**
     * The totals of one life: where Redis is lost while they are read, they would be those of two.
     *
     * @return empty when the counters are lost, and would be written down as zero
     */
    Optional<Checkpoint> checkpoint() {
        for (int attempt = 0; attempt < CHECKPOINT_ATTEMPTS; attempt++) {
            Optional<String> life = redis.life();
            if (life.isEmpty()) {
                return Optional.empty();
            }
            Checkpoint read = readCheckpoint();
            if (redis.life().equals(life)) {
                return Optional.of(read);
            }
        }
        throw new HotstateException("Redis was lost again and again while a checkpoint was read");
    }

    private Checkpoint readCheckpoint() {
        List<Double> numbers = redis.numbers(List.of(
                TrafficKeys.TOTAL.of(),
                TrafficKeys.ACCEPTED.of(),
                TrafficKeys.ERRORS.of(),
                TrafficKeys.MAX_CURRENT.of(),
                TrafficKeys.MAX_SPEED.of()));
        Map<String, String> directory = redis.endpoints();
        List<String> segments = List.copyOf(directory.keySet());
        List<EndpointTotals> totals = totals(segments);
        Map<String, EndpointTotals> endpoints = new HashMap<>();
        for (int i = 0; i < segments.size(); i++) {
            endpoints.put(directory.getOrDefault(segments.get(i), segments.get(i)), totals.get(i));
        }
        List<String> instances = redis.instances();
        Map<String, Long> byInstance = counts(instances, name -> TrafficKeys.INSTANCE_REQUESTS.of(Names.segment(name)));
        Map<Long, Long> byHour = counts(Window.DAY.starts(clock.millis()), TrafficKeys::hourly);
        return new Checkpoint(
                clock.instant(),
                whole(numbers, 0),
                whole(numbers, 1),
                whole(numbers, 2),
                whole(numbers, 3),
                whole(numbers, 4),
                errorsByStatus(),
                endpoints,
                byInstance,
                byHour);
    }

    private SortedMap<Integer, Long> errorsByStatus() {
        return counts(
                redis.statuses().stream().map(Integer::valueOf).toList(),
                status -> TrafficKeys.STATUS_ERRORS.of(status.toString()));
    }

    /** The counters that are above 0. */
    private <T extends Comparable<T>> SortedMap<T, Long> counts(List<T> names, Function<T, Key> key) {
        List<Double> numbers = redis.numbers(names.stream().map(key).toList());
        SortedMap<T, Long> counts = new TreeMap<>();
        for (int i = 0; i < names.size(); i++) {
            if (numbers.get(i) > 0) {
                counts.put(names.get(i), whole(numbers, i));
            }
        }
        return counts;
    }

    private List<EndpointTotals> totals(List<String> segments) {
        List<Key> keys = new ArrayList<>(4 * segments.size());
        for (String segment : segments) {
            keys.add(TrafficKeys.ENDPOINT_REQUESTS.of(segment));
            keys.add(TrafficKeys.ENDPOINT_ERRORS.of(segment));
            keys.add(TrafficKeys.RESPONSE_COUNT.of(segment));
            keys.add(TrafficKeys.RESPONSE_SUM.of(segment));
        }
        List<Double> numbers = redis.numbers(keys);
        List<EndpointTotals> totals = new ArrayList<>(segments.size());
        for (int i = 0; i < numbers.size(); i += 4) {
            totals.add(new EndpointTotals(
                    whole(numbers, i), whole(numbers, i + 1), whole(numbers, i + 2), numbers.get(i + 3)));
        }
        return totals;
    }

    private List<EndpointDetail.Sample> samples(String segment) {
        return redis.samples(segment).stream()
                .map(sample -> new EndpointDetail.Sample(
                        Instant.ofEpochMilli(sample.getKey()),
                        Double.parseDouble(part(sample.getValue(), 0)),
                        Integer.parseInt(part(sample.getValue(), 1))))
                .toList();
    }

    /** Asks for the endpoint's values alone: the fleet's slots, which are small, tell whose there can be. */
    private Figures figures(String segment, Window window) {
        List<Long> starts = window.starts(clock.millis());
        List<Map<String, String>> fleet = slots(TrafficKeys.FLEET, window.level(), starts);
        Map<Key, List<String>> wanted = new LinkedHashMap<>();
        for (int i = 0; i < starts.size(); i++) {
            List<String> fields = fleet.get(i).keySet().stream()
                    .map(writer -> writer + " " + segment)
                    .toList();
            if (!fields.isEmpty()) {
                wanted.put(slot(TrafficKeys.SLOT, window.level(), starts.get(i)), fields);
            }
        }
        Figures figures = new Figures();
        redis.fields(wanted).forEach(text -> figures.merge(Figures.parse(text)));
        return figures;
    }

    private Map<String, Figures> merged(KeyFamily family, Window window, Function<String, String> name) {
        return merge(slots(family, window.level(), window.starts(clock.millis())), name);
    }

    private List<Map<String, String>> slots(KeyFamily family, Level level, List<Long> starts) {
        return redis.hashes(
                starts.stream().map(start -> slot(family, level, start)).toList());
    }

    private static Key slot(KeyFamily family, Level level, long start) {
        return family.of(level.toString(), Long.toString(start));
    }

    private static Map<String, Figures> merge(List<Map<String, String>> slots, Function<String, String> name) {
        Map<String, Figures> merged = new TreeMap<>();
        slots.forEach(slot -> slot.forEach((field, text) ->
                merged.computeIfAbsent(name.apply(field), n -> new Figures()).merge(Figures.parse(text))));
        return merged;
    }

    private static List<Line> lines(Map<String, Figures> figures) {
        return figures.entrySet().stream()
                .map(entry -> Line.of(entry.getKey(), entry.getValue()))
                .sorted(BUSIEST_FIRST)
                .toList();
    }

    /** The i-th part of {@code writer instance endpoint}: only the last may have spaces in it. */
    private static String part(String field, int i) {
        return field.split(" ", 3)[i];
    }

    private static long whole(List<Double> numbers, int i) {
        return numbers.get(i).longValue();
    }
}
