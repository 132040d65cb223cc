package dev.hotstate.monitors;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.Agenda.Claimed;
import dev.hotstate.core.Partitions;
import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.monitors.check.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the jobs of push monitors report: that they began, that they ended well, that they failed. */
public final class Pings {
    private final Directory directory;
    private final Partitions partitions;
    private final Agenda agenda;
    private final RedisPings redis;
    private final Checks checks;
    private final Function<List<Monitor>, Map<String, Live>> look;

    Pings(
            Directory directory,
            Partitions partitions,
            Agenda agenda,
            RedisPings redis,
            Checks checks,
            Function<List<Monitor>, Map<String, Live>> look) {
        this.directory = directory;
        this.partitions = partitions;
        this.agenda = agenda;
        this.redis = redis;
        this.checks = checks;
        this.look = look;
    }

    /** Taken: it counts. Ignored: the monitor is paused. Unknown: no monitor has this key. */
    public enum Answer {
        TAKEN,
        IGNORED,
        UNKNOWN
    }

    public Answer began(String key) {
        return monitor(key)
                .map(monitor -> redis.begun(partitions.of(monitor.id()), monitor) ? Answer.TAKEN : Answer.IGNORED)
                .orElse(Answer.UNKNOWN);
    }

    public Answer succeeded(String key) {
        return report(key, null);
    }

    /** @param why what the job says of it */
    public Answer failed(String key, String why) {
        return report(key, why);
    }

    private Answer report(String key, @Nullable String failure) {
        return monitor(key)
                .map(monitor -> report(monitor, failure) ? Answer.TAKEN : Answer.IGNORED)
                .orElse(Answer.UNKNOWN);
    }

    private boolean report(Monitor monitor, @Nullable String failure) {
        Optional<Claimed> taken = agenda.take(partitions.of(monitor.id()), monitor.id(), RedisOutcomes.LEASE);
        if (taken.isEmpty()) {
            return false;
        }
        Claim claim = taken.get().claims().getFirst();
        Instant now = taken.get().now().orElseThrow();
        Duration took = took(monitor, now);
        Outcome outcome = failure == null ? Outcome.passed(took) : Outcome.failed(took, failure, false);
        checks.record(monitor, claim, now, outcome, null, Checking.afterReport(monitor, now));
        return true;
    }

    /** Since it said that it began; nothing where it did not. */
    private Duration took(Monitor monitor, Instant now) {
        Live live = look.apply(List.of(monitor)).get(monitor.id());
        Instant startedAt = live == null ? null : live.startedAt();
        return startedAt == null || startedAt.isAfter(now) ? Duration.ZERO : Duration.between(startedAt, now);
    }

    private Optional<Monitor> monitor(String key) {
        return directory.byPingKey(key).map(Definition::monitor).filter(found -> found.type() == CheckType.PUSH);
    }
}
