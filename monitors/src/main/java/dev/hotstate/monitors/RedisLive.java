package dev.hotstate.monitors;

import dev.hotstate.core.Key;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import dev.hotstate.core.Script.Call;
import io.lettuce.core.KeyValue;
import io.lettuce.core.ScoredValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Reads how monitors are. Nothing here writes, and nothing here asks PostgreSQL. */
final class RedisLive {
    static final long PACE_SLOT_MS = 10_000;

    private static final int MOST_LOOKED_AT = 100;
    private static final int MOST_SELECTED = 5_000;
    private static final int PACE_SLOTS = 6;

    static final Script<Reply> LOOK = Script.of(
            RedisLive.class,
            "look",
            List.of("schedule", "fences", "states", "status and incident and retry and beats of each…"),
            Function.identity());
    static final Script<Counts> COUNT = Script.of(RedisLive.class, "count", List.of("states"), Counts::of);
    static final Script<List<String>> SELECT =
            Script.of(RedisLive.class, "select", List.of("states"), reply -> reply.list(0));

    private final Redis redis;
    private final Partitions partitions;

    RedisLive(Redis redis, Partitions partitions) {
        this.redis = redis;
        this.partitions = partitions;
    }

    /** The live side of these monitors, by id; all of one moment a partition and hundred. */
    Map<String, Live> look(List<Monitor> monitors, BiPredicate<Monitor, Instant> covered) {
        List<Call> calls = new ArrayList<>();
        List<List<Monitor>> asked = new ArrayList<>();
        partitions.grouped(monitors, Monitor::id).forEach((partition, group) -> {
            for (int from = 0; from < group.size(); from += MOST_LOOKED_AT) {
                List<Monitor> part = group.subList(from, Math.min(from + MOST_LOOKED_AT, group.size()));
                asked.add(part);
                calls.add(looking(partition, part));
            }
        });
        Map<String, Live> found = new HashMap<>();
        List<Reply> replies = LOOK.runAll(redis, calls);
        for (int i = 0; i < replies.size(); i++) {
            Instant now = Instant.ofEpochMilli(replies.get(i).number(0));
            List<String> rows = replies.get(i).list(1);
            List<Monitor> group = asked.get(i);
            for (int n = 0; n < group.size(); n++) {
                Monitor monitor = group.get(n);
                LiveRow row = LiveRow.parse(rows.get(n));
                found.put(monitor.id(), row.live(monitor, now, covered.test(monitor, now)));
            }
        }
        return found;
    }

    private Call looking(Partition partition, List<Monitor> monitors) {
        List<Key> keys = new ArrayList<>();
        keys.add(MonitorKeys.SCHEDULE.of(partition));
        keys.add(MonitorKeys.FENCES.of(partition));
        keys.add(MonitorKeys.STATES.of(partition));
        List<String> args = new ArrayList<>();
        args.add(redis.scriptTime());
        for (Monitor monitor : monitors) {
            for (KeyFamily family :
                    List.of(MonitorKeys.STATUS, MonitorKeys.INCIDENT, MonitorKeys.RETRY, MonitorKeys.BEATS)) {
                keys.add(MonitorKeys.of(family, partition, monitor.id()));
            }
            args.add(monitor.id());
        }
        return new Call(keys, args);
    }

    /** How many monitors are in each state; the paused ones are not in Redis. */
    record Counts(Instant now, Map<State, Long> byState) {
        private static Counts of(Reply reply) {
            Map<State, Long> counts = new EnumMap<>(State.class);
            counts.put(State.MAINTENANCE, reply.number(1));
            counts.put(State.PENDING, reply.number(2));
            counts.put(State.STALE, reply.number(3));
            counts.put(State.DOWN, reply.number(4));
            counts.put(State.DEGRADED, reply.number(5));
            counts.put(State.UP, reply.number(6));
            return new Counts(Instant.ofEpochMilli(reply.number(0)), counts);
        }

        private Counts plus(Counts other) {
            Map<State, Long> sum = new EnumMap<>(byState);
            other.byState.forEach((state, count) -> sum.merge(state, count, Long::sum));
            return new Counts(now, sum);
        }
    }

    Counts count() {
        return COUNT
                .runAll(
                        redis,
                        partitions.all().stream()
                                .map(partition -> new Call(
                                        List.of(MonitorKeys.STATES.of(partition)), List.of(redis.scriptTime())))
                                .toList())
                .stream()
                .reduce(Counts::plus)
                .orElseThrow();
    }

    /** The ids of the monitors that are in this state. */
    List<String> in(State state) {
        List<String> ids = new ArrayList<>();
        in(List.of(state), (any, id) -> ids.add(id));
        return ids;
    }

    /** Tells which monitors are in these states: one round trip for all of them, and one more for each 5,000 of one. */
    void in(List<State> states, BiConsumer<State, String> each) {
        List<Selection> open = states.stream()
                .flatMap(state -> partitions.all().stream().map(partition -> new Selection(partition, state, 0)))
                .toList();
        while (!open.isEmpty()) {
            List<List<String>> parts =
                    SELECT.runAll(redis, open.stream().map(this::selecting).toList());
            List<Selection> more = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                Selection selection = open.get(i);
                parts.get(i).forEach(id -> each.accept(selection.state(), id));
                if (parts.get(i).size() == MOST_SELECTED) {
                    more.add(new Selection(
                            selection.partition(), selection.state(), selection.offset() + MOST_SELECTED));
                }
            }
            open = more;
        }
    }

    private record Selection(Partition partition, State state, int offset) {}

    private Call selecting(Selection selection) {
        return new Call(
                List.of(MonitorKeys.STATES.of(selection.partition())),
                List.of(
                        redis.scriptTime(),
                        selection.state().word(),
                        Integer.toString(selection.offset()),
                        Integer.toString(MOST_SELECTED)));
    }

    /** The last latency of every monitor that has one, in parts so that Redis is not held for long. */
    Map<String, Long> latencies() {
        Map<String, Long> all = new HashMap<>();
        for (Partition partition : partitions.all()) {
            List<ScoredValue<String>> part;
            long offset = 0;
            do {
                long from = offset;
                part = redis.read(
                        MonitorKeys.LATENCIES.of(partition),
                        (commands, key) -> commands.zrangeWithScores(key, from, from + MOST_SELECTED - 1));
                part.forEach(entry -> all.put(entry.getValue(), (long) entry.getScore()));
                offset += part.size();
            } while (part.size() == MOST_SELECTED);
        }
        return all;
    }

    /** The versions that the schedule follows, in the order of the ids; null for one that is not placed. */
    List<@Nullable Long> versions(Partition partition, List<String> ids) {
        List<KeyValue<String, String>> found = redis.read(
                MonitorKeys.VERSIONS.of(partition), (commands, key) -> commands.hmget(key, ids.toArray(String[]::new)));
        List<@Nullable Long> versions = new ArrayList<>();
        found.forEach(entry -> versions.add(entry.hasValue() ? Long.valueOf(entry.getValue()) : null));
        return versions;
    }

    /** Over the last whole minute of slots before this moment. */
    Pace pace(Instant now) {
        long current = now.toEpochMilli() / PACE_SLOT_MS;
        List<Key> keys = partitions.all().stream()
                .flatMap(partition -> LongStream.rangeClosed(1, PACE_SLOTS)
                        .mapToObj(back -> MonitorKeys.PACE.of(partition, Long.toString(current - back))))
                .toList();
        return Pace.of(
                redis.readAll(keys, (commands, key) -> commands.hgetall(key)),
                Duration.ofMillis(PACE_SLOTS * PACE_SLOT_MS));
    }
}
