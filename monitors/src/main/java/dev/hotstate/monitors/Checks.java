package dev.hotstate.monitors;

import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.Due;
import dev.hotstate.monitors.check.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One check from the question to everything that follows: ask, record, keep, tell. */
final class Checks {
    private final Function<Monitor, Outcome> asked;
    private final RedisOutcomes outcomes;
    private final Maintenance maintenance;
    private final Aftermath aftermath;
    private final LongAdder refused = new LongAdder();

    /**
     * @param asked how a target is asked
     * @param aftermath what follows a recorded outcome
     */
    Checks(Function<Monitor, Outcome> asked, RedisOutcomes outcomes, Maintenance maintenance, Aftermath aftermath) {
        this.asked = asked;
        this.outcomes = outcomes;
        this.maintenance = maintenance;
        this.aftermath = aftermath;
    }

    /** An outcome, and what it made of the monitor; empty where another holds it now and nothing was recorded. */
    record Checked(Outcome outcome, Optional<Recorded> recorded) {}

    Checked check(Monitor monitor, Claim claim, Instant claimedAt, @Nullable Duration lag) {
        return record(monitor, claim, claimedAt, asked.apply(monitor), lag, null);
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
                outcomes.record(new RedisOutcomes.Entry(monitor, claim, claimedAt, outcome, covered, lag, next, null));
        if (recorded.isEmpty()) {
            refused.increment();
        }
        recorded.ifPresent(made -> aftermath.follow(monitor, outcome, made, covered, lag));
        return new Checked(outcome, recorded);
    }

    long refused() {
        return refused.sum();
    }
}
