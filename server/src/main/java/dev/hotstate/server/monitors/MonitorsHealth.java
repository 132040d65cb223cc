package dev.hotstate.server.monitors;

import dev.hotstate.core.Durations;
import dev.hotstate.core.HotstateException;
import dev.hotstate.monitors.Monitoring;
import dev.hotstate.monitors.alert.Backlog;
import dev.hotstate.server.http.ops.HealthReport;
import dev.hotstate.server.http.ops.HealthStatus;
import java.time.Duration;
import java.util.concurrent.Callable;

/** Whether what is watched is known, and whether alerts get out. */
final class MonitorsHealth implements Callable<HealthReport> {
    private static final Duration UNHEARD = Duration.ofSeconds(30);
    private static final Duration LATE = Duration.ofMinutes(1);

    private final Monitoring monitoring;

    MonitorsHealth(Monitoring monitoring) {
        this.monitoring = monitoring;
    }

    @Override
    public HealthReport call() {
        int monitors = monitoring.directory().size();
        try {
            return report(monitoring.alerting().backlog()).withFigure("monitors", monitors);
        } catch (HotstateException away) {
            return HealthReport.of(
                            HealthStatus.DEGRADED,
                            "Monitors are checked; alerts wait, since PostgreSQL does not answer.")
                    .withFigure("monitors", monitors);
        }
    }

    private HealthReport report(Backlog backlog) {
        String trouble = trouble(backlog);
        return HealthReport.of(
                        trouble.isEmpty() ? HealthStatus.UP : HealthStatus.DEGRADED,
                        trouble.isEmpty() ? "Monitors are checked, and alerts get out." : trouble)
                .withFigure("outbox", backlog.waiting())
                .withFigure("outbox_held", backlog.held())
                .withFigure("outbox_oldest_ms", backlog.oldest().toMillis())
                .withFigure("dead_letters", backlog.dead());
    }

    private String trouble(Backlog backlog) {
        if (monitoring.directory().age().compareTo(UNHEARD) > 0) {
            return "Definitions cannot be read; the last known ones are checked.";
        }
        if (backlog.oldest().compareTo(LATE) > 0) {
            return "The oldest alert has waited for "
                    + Durations.print(Duration.ofSeconds(backlog.oldest().toSeconds())) + ".";
        }
        // Older ones are still on the page and in the figures, but do not hide for ever what goes wrong today.
        return backlog.deadLately() > 0
                ? backlog.deadLately() + " alerts were given up within a day; replay them."
                : "";
    }
}
