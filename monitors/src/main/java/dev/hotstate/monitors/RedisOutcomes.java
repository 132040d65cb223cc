package dev.hotstate.monitors;

import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Due;
import dev.hotstate.core.Key;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import dev.hotstate.monitors.check.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Outcomes on their way to Redis: one script each, under the fence of the claim. */
final class RedisOutcomes {
    /** How long a claim is good for without a word from its holder. */
    static final Duration LEASE = Duration.ofSeconds(15);

    private static final Duration SHORTEST_STATUS = Duration.ofDays(1);

    static final Script<Optional<Recorded>> RECORD = Script.of(
            RedisOutcomes.class,
            "record",
            List.of(
                    "incarnation",
                    "schedule",
                    "fences",
                    "status",
                    "incident",
                    "retry",
                    "ended",
                    "beats",
                    "unsettled",
                    "states",
                    "latencies",
                    "pace"),
            RedisOutcomes::recorded);

    private final Redis redis;
    private final Passes passes;

    RedisOutcomes(Redis redis, Passes passes) {
        this.redis = redis;
        this.passes = passes;
    }

    /**
     * What is recorded of one check.
     *
     * @param lag how long after its time the check began; null where it had none
     * @param next when to look again; null for the next turn of its interval
     * @param startedAt when the job of a push monitor said that it began
     */
    record Entry(
            Monitor monitor,
            Claim claim,
            Instant claimedAt,
            Outcome outcome,
            boolean maintenance,
            @Nullable Duration lag,
            @Nullable Due next,
            @Nullable Instant startedAt) {}

    /** Empty where the claim is no longer held: then nothing was changed. */
    Optional<Recorded> record(Entry entry) {
        return RECORD.run(redis, keys(entry), args(entry));
    }

    /** How long the status of a monitor is kept: it must outlive the time after which it is shown as stale. */
    static Duration statusLife(Monitor monitor) {
        Duration thrice = monitor.staleAfterAtMost().multipliedBy(3);
        return thrice.compareTo(SHORTEST_STATUS) > 0 ? thrice : SHORTEST_STATUS;
    }

    private static List<Key> keys(Entry entry) {
        Partition partition = entry.claim().partition();
        String id = entry.monitor().id();
        String slot = Long.toString(entry.claimedAt().toEpochMilli() / RedisLive.PACE_SLOT_MS);
        List<Key> keys = new ArrayList<>(12);
        keys.add(CoreKeys.INCARNATION.of(partition));
        keys.add(MonitorKeys.SCHEDULE.of(partition));
        keys.add(MonitorKeys.FENCES.of(partition));
        for (KeyFamily family : List.of(
                MonitorKeys.STATUS, MonitorKeys.INCIDENT, MonitorKeys.RETRY, MonitorKeys.ENDED, MonitorKeys.BEATS)) {
            keys.add(MonitorKeys.of(family, partition, id));
        }
        keys.add(MonitorKeys.UNSETTLED.of(partition));
        keys.add(MonitorKeys.STATES.of(partition));
        keys.add(MonitorKeys.LATENCIES.of(partition));
        keys.add(MonitorKeys.PACE.of(partition, slot));
        return keys;
    }

    private List<String> args(Entry entry) {
        Monitor monitor = entry.monitor();
        Monitor.Rhythm rhythm = monitor.rhythm();
        Outcome outcome = entry.outcome();
        long interval = rhythm.interval().toMillis();
        List<String> args = new ArrayList<>(32);
        args.add(passes.of(entry.claim().partition()).toString());
        args.add(redis.scriptTime());
        args.add(monitor.id());
        args.add(entry.claim().fence().toString());
        args.add(flag(outcome.ok()));
        args.add(flag(outcome.retryable()));
        args.add(flag(entry.maintenance()));
        args.add(Integer.toString(rhythm.retries()));
        args.add(Long.toString(rhythm.retryInterval().toMillis()));
        args.add(Integer.toString(rhythm.failureThreshold()));
        args.add(Integer.toString(rhythm.successThreshold()));
        args.add(Long.toString(interval));
        args.add(Long.toString(Partitions.phase(monitor.id(), interval)));
        args.add(entry.next() == null ? "" : entry.next().toString());
        args.add(Long.toString(monitor.staleAfter(entry.claimedAt()).toMillis()));
        args.add(Long.toString(retryLife(monitor).toMillis()));
        args.add(Long.toString(statusLife(monitor).toMillis()));
        args.add(entry.lag() == null ? "" : Integer.toString(Pace.bucket(entry.lag())));
        args.add(Long.toString(outcome.latency().toMillis()));
        args.add(outcome.error() == null ? "" : outcome.error());
        addFurtherFields(args, entry);
        return args;
    }

    private static void addFurtherFields(List<String> args, Entry entry) {
        Outcome outcome = entry.outcome();
        Outcome.Phases phases = outcome.phases();
        add(args, "status_code", outcome.statusCode());
        add(args, "certificate_days", outcome.certificateDaysLeft());
        add(args, "dns_ms", rounded(phases.dnsMs()));
        add(args, "connect_ms", rounded(phases.connectMs()));
        add(args, "tls_ms", rounded(phases.tlsMs()));
        add(args, "first_byte_ms", rounded(phases.firstByteMs()));
        Instant startedAt = entry.startedAt();
        add(args, "started_at", startedAt == null ? null : startedAt.toEpochMilli());
    }

    private static void add(List<String> args, String field, @Nullable Object value) {
        if (value != null) {
            args.add(field);
            args.add(value.toString());
        }
    }

    private static @Nullable String rounded(@Nullable Double ms) {
        return ms == null ? null : String.format(Locale.ROOT, "%.1f", ms);
    }

    /** Longer than the second look can take to be recorded: or the count would begin anew in the middle. */
    private static Duration retryLife(Monitor monitor) {
        return monitor.rhythm().retryInterval().plus(monitor.patience()).plus(LEASE.multipliedBy(2));
    }

    static String flag(boolean set) {
        return set ? "1" : "0";
    }

    private static Optional<Recorded> recorded(Reply reply) {
        if (reply.word().equals("STALE")) {
            return Optional.empty();
        }
        Instant at = Instant.ofEpochMilli(reply.number(0));
        return Optional.of(new Recorded(
                at,
                Instant.ofEpochMilli(reply.number(1)),
                reply.number(2),
                Standing.parse(reply.text(3)).at(at),
                Standing.parse(reply.text(4)).at(at),
                reply.number(5) == 1));
    }
}
