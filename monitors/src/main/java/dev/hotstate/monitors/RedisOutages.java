package dev.hotstate.monitors;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What PostgreSQL has yet to be told of outages, and noting that it was. */
final class RedisOutages {
    static final int MOST_AT_ONCE = 100;

    static final Script<List<String>> UNSETTLED =
            Script.of(RedisOutages.class, "unsettled", List.of("incarnation", "unsettled"), reply -> reply.list(0));
    static final Script<Outages> OUTAGES =
            Script.of(RedisOutages.class, "outages", List.of("incident", "ended"), RedisOutages::outages);
    static final Script<Boolean> SETTLED = Script.of(
                    RedisOutages.class,
                    "settled",
                    List.of("incarnation", "incident", "ended", "unsettled"),
                    reply -> reply.number(0) == 1)
            .repeatable();

    static final Script<Boolean> RECALL = Script.of(
                    RedisOutages.class,
                    "recall",
                    List.of("incarnation", "incident", "ended"),
                    reply -> reply.word().equals("RECALLED"))
            .repeatable();

    static final Script<Boolean> FORGET = Script.of(
                    RedisOutages.class,
                    "forget",
                    List.of("incarnation", "incident", "unsettled"),
                    reply -> reply.word().equals("FORGOTTEN"))
            .repeatable();

    private final Redis redis;
    private final Passes passes;

    RedisOutages(Redis redis, Passes passes) {
        this.redis = redis;
        this.passes = passes;
    }

    /**
     * @param current the outage under way, if it must be an incident and is none yet
     * @param ended those that are over, oldest first
     */
    record Outages(@Nullable Outage current, List<Outage> ended) {
        boolean none() {
            return current == null && ended.isEmpty();
        }
    }

    /**
     * @param endedAt null while it goes on
     * @param incident its number in PostgreSQL, where it is known
     * @param raw as it stands on the list of ended ones
     */
    record Outage(
            Instant startedAt,
            @Nullable Instant endedAt,
            long failureCount,
            OptionalLong incident,
            @Nullable String error,
            String raw) {}

    /** Takes monitors that are unsettled for longer than it should take; nobody else gets them for the lease. */
    List<String> take(Partition partition, Duration lease) {
        return UNSETTLED.run(
                redis,
                List.of(CoreKeys.INCARNATION.of(partition), MonitorKeys.UNSETTLED.of(partition)),
                List.of(
                        passes.of(partition).toString(),
                        redis.scriptTime(),
                        Integer.toString(MOST_AT_ONCE),
                        Long.toString(lease.toMillis())));
    }

    Outages of(Partition partition, String id) {
        return OUTAGES.run(redis, List.of(incident(partition, id), ended(partition, id)), List.of());
    }

    /**
     * Notes that PostgreSQL has these.
     *
     * @param incident the number of the current outage's incident
     * @return whether something came meanwhile that it does not have
     */
    boolean settled(Partition partition, String id, Outages told, OptionalLong incident) {
        List<String> args = new ArrayList<>();
        args.add(passes.of(partition).toString());
        args.add(redis.scriptTime());
        args.add(id);
        Outage current = told.current();
        args.add(current == null ? "" : Long.toString(current.startedAt().toEpochMilli()));
        args.add(incident.isPresent() ? Long.toString(incident.getAsLong()) : "");
        told.ended().forEach(outage -> args.add(outage.raw()));
        return SETTLED.run(
                redis,
                List.of(
                        CoreKeys.INCARNATION.of(partition),
                        incident(partition, id),
                        ended(partition, id),
                        MonitorKeys.UNSETTLED.of(partition)),
                args);
    }

    /** Reminds Redis of an incident, unless it has something of an outage of this monitor itself. */
    boolean recall(Partition partition, String id, Map<String, String> fields) {
        List<String> args = new ArrayList<>();
        args.add(passes.of(partition).toString());
        args.add(redis.scriptTime());
        fields.forEach((field, value) -> args.addAll(List.of(field, value)));
        return RECALL.run(
                redis,
                List.of(CoreKeys.INCARNATION.of(partition), incident(partition, id), ended(partition, id)),
                args);
    }

    /** Takes the number of a closed incident from the outage that still has it. */
    boolean forget(Partition partition, String id, long incident) {
        return FORGET.run(
                redis,
                List.of(
                        CoreKeys.INCARNATION.of(partition),
                        incident(partition, id),
                        MonitorKeys.UNSETTLED.of(partition)),
                List.of(passes.of(partition).toString(), redis.scriptTime(), id, Long.toString(incident)));
    }

    private static Key incident(Partition partition, String id) {
        return MonitorKeys.of(MonitorKeys.INCIDENT, partition, id);
    }

    private static Key ended(Partition partition, String id) {
        return MonitorKeys.of(MonitorKeys.ENDED, partition, id);
    }

    private static Outages outages(Reply reply) {
        boolean untold = reply.text(0).equals("1") && reply.text(4).isEmpty();
        Outage current = untold
                ? new Outage(at(reply.text(1)), null, reply.number(3), OptionalLong.empty(), errorOf(reply.text(5)), "")
                : null;
        return new Outages(
                current, reply.list(6).stream().map(RedisOutages::ended).toList());
    }

    private static Outage ended(String raw) {
        String[] parts = raw.split(" ", 5);
        OptionalLong incident = parts[3].equals("-") ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(parts[3]));
        return new Outage(at(parts[0]), at(parts[1]), Long.parseLong(parts[2]), incident, errorOf(parts[4]), raw);
    }

    private static Instant at(String ms) {
        return Instant.ofEpochMilli(Long.parseLong(ms));
    }

    private static @Nullable String errorOf(String text) {
        return text.isEmpty() ? null : text;
    }
}
