package dev.hotstate.monitors;

import dev.hotstate.core.Cron;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.core.Partitions;
import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is watched, how often, and who is told.
 *
 * @param push how a passive monitor's job reports; null for all other types
 * @param tags each once, as are the ids below
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
    static final Duration SECOND = Duration.ofSeconds(1);
    static final Duration MONTH = Duration.ofDays(31);
    private static final int MOST_ENTRIES = 20;

    /** @throws InvalidDocumentException with everything that is wrong */
    public Monitor {
        tags = tags.stream().distinct().toList();
        dependsOn = dependsOn.stream().distinct().toList();
        alerts = alerts.stream().distinct().toList();
        var flaws = new Flaws(MonitorDocument.FIELDS)
                .id("id", id)
                .line("name", name, 200)
                .lines("tags", tags, MOST_ENTRIES, 64)
                .ids("depends_on", dependsOn, MOST_ENTRIES)
                .that(!dependsOn.contains(id), "depends_on", "must not name the monitor itself: " + id + " -> " + id)
                .ids("alerts", alerts, MOST_ENTRIES);
        if (remindEvery != null) {
            flaws.range("remind_every", remindEvery, SECOND, MONTH);
        }
        if ((push == null) == (check.type() == CheckType.PUSH)) {
            throw new IllegalArgumentException("push must be given for a push monitor, and for no other");
        }
        flaws.refuse();
    }

    public CheckType type() {
        return check.type();
    }

    public Duration interval() {
        return rhythm.interval();
    }

    /** The target as it may be shown and told: without the password that a URL may have. */
    public String shownTarget() {
        return Secrets.maskedUrl(check.target());
    }

    /** For an active check its timeout; for a passive one the grace that its job has. */
    public Duration patience() {
        return push == null ? check.timeout() : push.grace();
    }

    /** When its turn is next: at its phase of the interval. */
    Instant turnAfter(Instant now) {
        long interval = interval().toMillis();
        long ms = now.toEpochMilli();
        long phase = Partitions.phase(id, interval);
        return Instant.ofEpochMilli(ms - Math.floorMod(ms - phase, interval) + interval);
    }

    /** After so long without an outcome nobody can say how it is; by a cron it depends on the outcome's time. */
    public Duration staleAfter(Instant checkedAt) {
        Cron cron = push == null ? null : push.cron();
        Duration period = cron == null
                ? interval()
                : cron.next(checkedAt)
                        .map(next -> Duration.between(checkedAt, next))
                        .orElse(MONTH);
        return period.plus(patience()).plusSeconds(5);
    }

    /** The longest that {@link #staleAfter} can be, but for a cron that comes more seldom than monthly. */
    Duration staleAfterAtMost() {
        boolean byCron = push != null && push.cron() != null;
        return (byCron ? MONTH : interval()).plus(patience()).plusSeconds(5);
    }

    public Monitor withPaused(boolean paused) {
        return new Monitor(id, name, check, rhythm, push, tags, dependsOn, alerts, remindEvery, paused);
    }

    Monitor withDependsOn(List<String> dependsOn) {
        return new Monitor(id, name, check, rhythm, push, tags, dependsOn, alerts, remindEvery, paused);
    }

    /** Without its secrets. */
    @Override
    public String toString() {
        return "Monitor[" + id + " " + type().word() + " " + shownTarget() + "]";
    }

    /**
     * How often it is checked, and how often it must fail or succeed to count.
     *
     * @param retries quick second looks before a failure counts
     */
    public record Rhythm(
            Duration interval, int retries, Duration retryInterval, int failureThreshold, int successThreshold) {
        public static final Rhythm DEFAULTS = new Rhythm(Duration.ofSeconds(60), 2, Duration.ofSeconds(5), 1, 1);

        /** @throws InvalidDocumentException with everything that is wrong */
        public Rhythm {
            new Flaws(MonitorDocument.FIELDS)
                    .range("interval", interval, SECOND, MONTH)
                    .range("retries", retries, 0, 10)
                    .range("retry_interval", retryInterval, Duration.ofMillis(100), Duration.ofHours(1))
                    .range("failure_threshold", failureThreshold, 1, 100)
                    .range("success_threshold", successThreshold, 1, 100)
                    .refuse();
        }
    }

    /**
     * When a passive monitor's job must have reported: within the interval and a grace, or a grace after each time of its
     * cron expression.
     */
    public record Push(Duration grace, @Nullable Cron cron) {
        /** @throws InvalidDocumentException with everything that is wrong */
        public Push {
            new Flaws(MonitorDocument.FIELDS)
                    .range("grace", grace, SECOND, MONTH)
                    .refuse();
        }
    }
}
