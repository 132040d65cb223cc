package dev.hotstate.monitors.alert;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Locale;

/** What is told of deliveries: this instance's attempts, and the outbox of all of them as it was last seen. */
final class AlertMeters {
    private final MeterRegistry meters;
    private volatile Backlog seen = Backlog.NONE;

    AlertMeters(MeterRegistry meters) {
        this.meters = meters;
        Gauge.builder("hotstate.monitors.outbox.waiting", () -> seen.waiting())
                .description("Alerts that are not delivered yet")
                .register(meters);
        Gauge.builder("hotstate.monitors.outbox.held", () -> seen.held())
                .description("Alerts that wait for word whether they are to be sent")
                .register(meters);
        Gauge.builder("hotstate.monitors.outbox.dead", () -> seen.dead())
                .description("Alerts that were given up")
                .register(meters);
        Gauge.builder("hotstate.monitors.outbox.oldest", () -> seen.oldest().toMillis() / 1000.0)
                .description("How long the oldest alert has waited")
                .baseUnit("seconds")
                .register(meters);
    }

    void saw(Backlog now) {
        seen = now;
    }

    /** One attempt; a claim that was lost meanwhile counts as such. */
    void count(Verdict verdict, boolean recorded, Duration took) {
        String outcome = recorded ? verdict.getClass().getSimpleName().toLowerCase(Locale.ROOT) : "superseded";
        meters.timer("hotstate.monitors.deliveries", "outcome", outcome).record(took);
    }
}
