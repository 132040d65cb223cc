package dev.hotstate.monitors;

import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckType;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is watched, how often, and who is told.
 *
 * @param push how a passive monitor's job reports; null for all other types
 * @param dependsOn monitors without which this one cannot be up: its alerts are held while one of them is down
 * @param alerts ids of channels
 * @param remindEvery how often an open incident is told again; null for never
 */
public record Monitor(
        String id,
        String name,
        CheckSpec check,
        Rhythm rhythm,
        @Nullable Push push,
        List<String> tags,
        List<String> dependsOn,
        List<String> alerts,
        @Nullable Duration remindEvery,
        boolean paused) {

    public Monitor {
        tags = List.copyOf(tags);
        dependsOn = List.copyOf(dependsOn);
        alerts = List.copyOf(alerts);
    }

    public CheckType type() {
        return check.type();
    }

    public Duration interval() {
        return rhythm.interval();
    }

    /** For an active check its timeout; for a passive one the grace that its job has. */
    public Duration patience() {
        return push == null ? check.timeout() : push.grace();
    }

    /** After so long without an outcome nobody can say how it is. */
    public Duration staleAfter() {
        return interval().plus(patience()).plusSeconds(5);
    }

    /**
     * How often it is checked, and how often it must fail or succeed to count.
     *
     * @param retries quick second looks before a failure counts
     */
    public record Rhythm(
            Duration interval, int retries, Duration retryInterval, int failureThreshold, int successThreshold) {
        public static final Rhythm DEFAULTS = new Rhythm(Duration.ofSeconds(60), 2, Duration.ofSeconds(5), 1, 1);
    }

    /**
     * When a passive monitor's job must have reported: within the interval and a grace, or a grace after each time of its
     * cron expression.
     */
    public record Push(Duration grace, @Nullable String cron, String timeZone) {}
}
