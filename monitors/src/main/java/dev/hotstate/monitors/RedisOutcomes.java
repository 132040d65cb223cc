package dev.hotstate.monitors;

import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Due;
import dev.hotstate.core.Key;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import dev.hotstate.monitors.check.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Outcomes on their way to Redis: each under the fence of its claim and decided for itself, and those that come within a
 * moment in one script.
 */
final class RedisOutcomes {
    /** How long a claim is good for without a word from its holder. */
    static final Duration LEASE = Duration.ofSeconds(15);

    private static final Duration SHORTEST_STATUS = Duration.ofDays(1);

    private static final List<KeyFamily> OF_EACH =
            List.of(MonitorKeys.STATUS, MonitorKeys.INCIDENT, MonitorKeys.RETRY, MonitorKeys.ENDED, MonitorKeys.BEATS);

    /** So many hold Redis for some two milliseconds. */
    private static final int MOST_A_TRIP = 50;

    /** What record.lua answers for each. */
    private static final int ANSWERS = 6;

    private static final String NONE = "-";

    static final Script<List<Verdict>> RECORD = Script.of(
            RedisOutcomes.class,
            "record",
            List.of(
                    "incarnation",
                    "schedule",
                    "fences",
                    "unsettled",
                    "states",
                    "latencies",
                    "pace",
                    "status and incident and retry and ended and beats of each…"),
            RedisOutcomes::verdicts);

    private final Redis redis;
    private final Passes passes;
    private final Map<Partition, Gathering<Entry, Verdict>> gatherings = new ConcurrentHashMap<>();

    RedisOutcomes(Redis redis, Passes passes) {
        this.redis = redis;
        this.passes = passes;
    }

    /**
     * What is recorded of one check.
     *
     * @param lag how long after its time the check began; null where it had none
     * @param next when to look again; null for the next turn of its interval
     */
    record Entry(
            Monitor monitor,
            Claim claim,
            Instant claimedAt,
            Outcome outcome,
            boolean maintenance,
            @Nullable Duration lag,
            @Nullable Due next) {}

    /** What became of one: empty for a claim that is no longer held; broken says why Redis could not record it. */
    record Verdict(Optional<Recorded> recorded, @Nullable String broken) {}

    /**
     * Empty where the claim is no longer held: then nothing was changed.
     *
     * @throws IllegalStateException where Redis holds something of this monitor that no outcome fits
     */
    Optional<Recorded> record(Entry entry) {
        Verdict verdict = gathering(entry.claim().partition()).bring(entry);
        if (verdict.broken() != null) {
            throw new IllegalStateException(
                    "the outcome of " + entry.monitor().id() + " was not recorded: " + verdict.broken());
        }
        return verdict.recorded();
    }

    /** Outcomes of one partition travel together. */
    private Gathering<Entry, Verdict> gathering(Partition partition) {
        Gathering<Entry, Verdict> known = gatherings.get(partition);
        return known != null
                ? known
                : gatherings.computeIfAbsent(
                        partition, here -> new Gathering<>(MOST_A_TRIP, entries -> record(here, entries)));
    }

    private List<Verdict> record(Partition partition, List<Entry> entries) {
        return RECORD.run(redis, keys(partition, entries), args(partition, entries));
    }

    /** How long the status of a monitor is kept: it must outlive the time after which it is shown as stale. */
    static Duration statusLife(Monitor monitor) {
        Duration thrice = monitor.staleAfterAtMost().multipliedBy(3);
        Duration life = thrice.compareTo(SHORTEST_STATUS) > 0 ? thrice : SHORTEST_STATUS;
        return life.compareTo(MonitorKeys.LONGEST_STATUS) < 0 ? life : MonitorKeys.LONGEST_STATUS;
    }

    private static List<Key> keys(Partition partition, List<Entry> entries) {
        String slot = Long.toString(entries.getLast().claimedAt().toEpochMilli() / RedisLive.PACE_SLOT_MS);
        List<Key> keys = new ArrayList<>(7 + 5 * entries.size());
        keys.add(CoreKeys.INCARNATION.of(partition));
        keys.add(MonitorKeys.SCHEDULE.of(partition));
        keys.add(MonitorKeys.FENCES.of(partition));
        keys.add(MonitorKeys.UNSETTLED.of(partition));
        keys.add(MonitorKeys.STATES.of(partition));
        keys.add(MonitorKeys.LATENCIES.of(partition));
        keys.add(MonitorKeys.PACE.of(partition, slot));
        for (Entry entry : entries) {
            for (KeyFamily family : OF_EACH) {
                keys.add(MonitorKeys.of(family, partition, entry.monitor().id()));
            }
        }
        return keys;
    }

    private List<String> args(Partition partition, List<Entry> entries) {
        List<String> args = new ArrayList<>(2 + 9 * entries.size());
        args.add(passes.of(partition).toString());
        args.add(redis.scriptTime());
        entries.forEach(entry -> addTo(args, entry));
        return args;
    }

    private static void addTo(List<String> args, Entry entry) {
        Monitor monitor = entry.monitor();
        Outcome outcome = entry.outcome();
        Due next = entry.next();
        String phases = PhasesText.of(outcome.phases());
        args.add(monitor.id());
        args.add(entry.claim().fence().toString());
        args.add(flag(outcome.ok())
                + flag(outcome.retryable())
                + flag(entry.maintenance())
                + (entry.lag() == null ? "" : Pace.bucket(entry.lag())));
        args.add(rare(entry));
        args.add((next == null ? Due.at(monitor.turnAfter(entry.claimedAt())) : next).toString());
        args.add(Long.toString(monitor.staleAfter(entry.claimedAt()).toMillis()));
        args.add(Long.toString(outcome.latency().toMillis()));
        args.add(kind(entry, !phases.isEmpty()));
        args.add(phases);
    }

    /** What matters only when something failed, or is another kind than before, is one text, which is read then. */
    private static String rare(Entry entry) {
        Monitor monitor = entry.monitor();
        Monitor.Rhythm rhythm = monitor.rhythm();
        long interval = entry.next() == null ? monitor.interval().toMillis() : 0;
        return rhythm.retries()
                + " "
                + rhythm.retryInterval().toMillis()
                + " "
                + rhythm.failureThreshold()
                + " "
                + rhythm.successThreshold()
                + " "
                + retryLife(monitor).toMillis()
                + " "
                + statusLife(monitor).toMillis()
                + " "
                + interval
                + " "
                + (entry.outcome().error() == null ? "" : entry.outcome().error());
    }

    /** What is most often the same from one outcome to the next. */
    private static String kind(Entry entry, boolean phases) {
        Outcome outcome = entry.outcome();
        long quarter = statusLife(entry.monitor()).toMillis() / 4;
        return flag(outcome.ok())
                + " "
                + (outcome.statusCode() == null ? NONE : outcome.statusCode())
                + " "
                + (outcome.certificateDaysLeft() == null ? NONE : outcome.certificateDaysLeft())
                + " "
                + (phases ? "p" : NONE)
                + (entry.maintenance() ? "m" : NONE)
                + " "
                + entry.claimedAt().toEpochMilli() / quarter;
    }

    /** Longer than the second look can take to be recorded: or the count would begin anew in the middle. */
    private static Duration retryLife(Monitor monitor) {
        return monitor.rhythm().retryInterval().plus(monitor.patience()).plus(LEASE.multipliedBy(2));
    }

    static String flag(boolean set) {
        return set ? "1" : "0";
    }

    private static List<Verdict> verdicts(Reply reply) {
        Instant at = Instant.ofEpochMilli(reply.number(0));
        List<String> answers = reply.list(1);
        List<Verdict> verdicts = new ArrayList<>(answers.size() / ANSWERS);
        for (int i = 0; i < answers.size(); i += ANSWERS) {
            verdicts.add(verdict(at, answers.subList(i, i + ANSWERS)));
        }
        return verdicts;
    }

    private static Verdict verdict(Instant at, List<String> answer) {
        return switch (answer.get(0)) {
            case "1" ->
                new Verdict(
                        Optional.of(new Recorded(
                                at,
                                Instant.ofEpochMilli(Long.parseLong(answer.get(1))),
                                Long.parseLong(answer.get(2)),
                                Standing.parse(answer.get(3)).at(at),
                                Standing.parse(answer.get(4)).at(at),
                                !answer.get(5).equals("0"),
                                answer.get(5).equals("2"))),
                        null);
            case "0" -> new Verdict(Optional.empty(), null);
            default -> new Verdict(Optional.empty(), answer.get(0));
        };
    }
}
