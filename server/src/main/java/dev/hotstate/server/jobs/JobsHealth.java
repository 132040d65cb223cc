package dev.hotstate.server.jobs;

import dev.hotstate.core.Durations;
import dev.hotstate.jobs.ArchiveLag;
import dev.hotstate.server.http.ops.HealthReport;
import dev.hotstate.server.http.ops.HealthStatus;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Whether what happens to jobs reaches PostgreSQL in time. (That partitions are rebuilt is a part of its own.) */
final class JobsHealth implements Callable<HealthReport> {
    private static final Duration LATE = Duration.ofSeconds(30);

    private final Supplier<ArchiveLag> lag;

    JobsHealth(Supplier<ArchiveLag> lag) {
        this.lag = lag;
    }

    @Override
    public HealthReport call() {
        var waits = lag.get();
        boolean late = waits.age().compareTo(LATE) > 0;
        return HealthReport.of(
                        late ? HealthStatus.DEGRADED : HealthStatus.UP,
                        late
                                ? "What happened to jobs waits for PostgreSQL, for "
                                        + Durations.print(
                                                Duration.ofSeconds(waits.age().toSeconds()))
                                        + " by now; if it is too much, no tasks are handed out."
                                : "Jobs go on, and what happens to them is archived.")
                .withFigure("archive", waits.entries())
                .withFigure("archive_age_ms", waits.age().toMillis());
    }
}
