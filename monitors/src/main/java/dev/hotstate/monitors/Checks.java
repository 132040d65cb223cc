package dev.hotstate.monitors;

import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.Due;
import dev.hotstate.monitors.check.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One check from the question to everything that follows: ask, record, keep, tell. */
final class Checks {
    private final Function<Monitor, Outcome> asked;
    private final RedisOutcomes outcomes;
    private final Maintenance maintenance;
    private final Aftermath aftermath;
    private final Function<List<Monitor>, Map<String, Live>> look;

    /**
     * @param asked how a target is asked
     * @param aftermath what follows a recorded outcome
     */
    Checks(
            Function<Monitor, Outcome> asked,
            RedisOutcomes outcomes,
            Maintenance maintenance,
            Aftermath aftermath,
            Function<List<Monitor>, Map<String, Live>> look) {
        this.asked = asked;
        this.outcomes = outcomes;
        this.maintenance = maintenance;
        this.aftermath = aftermath;
        this.look = look;
    }

    /** An outcome, and what it made of the monitor; empty where another holds it now and nothing was recorded. */
    record Checked(Outcome outcome, Optional<Recorded> recorded) {}

    Checked check(Monitor monitor, Claim claim, Instant claimedAt, @Nullable Duration lag) {
        return record(monitor, claim, claimedAt, ask(monitor), lag, null);
    }

    /** Its host has no place for one more check: it comes later, and that is its time then. */
    void postponed() {
        aftermath.postponed();
    }

    /** Only asks its target: nothing is recorded. */
    Outcome ask(Monitor monitor) {
        return asked.apply(monitor);
    }

    /** By when a push monitor's job must report, by what is known of its last report: from now on, where nothing is. */
    Instant deadline(Monitor monitor, Monitor.Push push, Instant now) {
        Live live = look.apply(List.of(monitor)).get(monitor.id());
        if (live == null || live.checkedAt() == null) {
            return Checking.deadline(monitor, push, now);
        }
        Instant startedAt = live.startedAt();
        Instant last = live.lastOkAt() == null ? live.checkedAt() : live.lastOkAt();
        return startedAt == null ? Checking.deadline(monitor, push, last) : startedAt.plus(push.grace());
    }

    /** A push monitor's time has come, and its job has not reported. */
    Checked missed(Monitor monitor, Claim claim, Instant claimedAt, @Nullable Duration lag) {
        Outcome outcome = Checking.missed(monitor);
        return record(monitor, claim, claimedAt, outcome, lag, Checking.afterMiss(monitor, claimedAt));
    }

    Checked record(
            Monitor monitor,
            Claim claim,
            Instant claimedAt,
            Outcome outcome,
            @Nullable Duration lag,
            @Nullable Due next) {
        boolean covered = maintenance.covers(monitor, claimedAt);
        Optional<Recorded> recorded =
                outcomes.record(new RedisOutcomes.Entry(monitor, claim, claimedAt, outcome, covered, lag, next));
        recorded.ifPresent(made -> aftermath.follow(monitor, outcome, made, covered, lag));
        return new Checked(outcome, recorded);
    }
}
