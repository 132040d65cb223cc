package dev.hotstate.server.jobs;

import dev.hotstate.core.Durations;
import dev.hotstate.jobs.ArchiveLag;
import dev.hotstate.server.http.ops.HealthReport;
import dev.hotstate.server.http.ops.HealthStatus;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Whether what happens to jobs reaches PostgreSQL in time, and whether any is stuck. (That partitions are rebuilt is a part of its own.) */
final class JobsHealth implements Callable<HealthReport> {
    private static final Duration LATE = Duration.ofSeconds(30);

    private final Supplier<ArchiveLag> lag;
    private final Supplier<Set<String>> stuck;

    JobsHealth(Supplier<ArchiveLag> lag, Supplier<Set<String>> stuck) {
        this.lag = lag;
        this.stuck = stuck;
    }

    @Override
    public HealthReport call() {
        var waits = lag.get();
        boolean late = waits.age().compareTo(LATE) > 0;
        var still = stuck.get();
        return HealthReport.of(
                        late || !still.isEmpty() ? HealthStatus.DEGRADED : HealthStatus.UP,
                        !still.isEmpty()
                                ? "Nothing moves the job " + still.iterator().next() + " on"
                                        + (still.size() > 1 ? ", nor " + (still.size() - 1) + " more" : "")
                                        + "; the log says what is wrong. Cancel it, and run it again."
                                : late
                                        ? "What happened to jobs waits for PostgreSQL, for "
                                                + Durations.print(Duration.ofSeconds(
                                                        waits.age().toSeconds()))
                                                + " by now; if it is too much, no tasks are handed out."
                                        : "Jobs go on, and what happens to them is archived.")
                .withFigure("archive", waits.entries())
                .withFigure("archive_age_ms", waits.age().toMillis())
                .withFigure("stuck", still.size());
    }
}
