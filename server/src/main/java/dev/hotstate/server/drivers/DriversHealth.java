package dev.hotstate.server.drivers;

import dev.hotstate.core.Durations;
import dev.hotstate.drivers.Driving;
import dev.hotstate.server.http.ops.HealthReport;
import dev.hotstate.server.http.ops.HealthStatus;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/** Whether positions reach PostgreSQL in time. (That regions are rebuilt is a part of its own.) */
final class DriversHealth implements Callable<HealthReport> {
    private static final Duration LATE = Duration.ofSeconds(30);

    private final Supplier<Driving.Lag> lag;

    DriversHealth(Supplier<Driving.Lag> lag) {
        this.lag = lag;
    }

    @Override
    public HealthReport call() {
        var waits = lag.get();
        boolean late = waits.age().compareTo(LATE) > 0;
        return HealthReport.of(
                        late ? HealthStatus.DEGRADED : HealthStatus.UP,
                        late
                                ? "Positions wait for PostgreSQL, for "
                                        + Durations.print(
                                                Duration.ofSeconds(waits.age().toSeconds()))
                                        + " by now; Redis has them."
                                : "Positions are taken, and written to PostgreSQL behind.")
                .withFigure("write_behind", waits.drivers())
                .withFigure("write_behind_age_ms", waits.age().toMillis());
    }
}
