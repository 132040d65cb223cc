package dev.hotstate.server.audit;

import dev.hotstate.core.KeyFamily;
import dev.hotstate.server.audit.PostgresAudits.FamilyFigures;
import dev.hotstate.server.audit.PostgresAudits.Summary;
import dev.hotstate.store.StoreException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the last audit found, for Prometheus; {@code hotstate audit --generate alerts} prints alerts on these. Every
 * instance tells the same. PostgreSQL is asked at most twice a minute, and only when somebody scrapes.
 */
final class AuditMeters {
    private static final long FRESH = Duration.ofSeconds(30).toNanos();

    private final PostgresAudits store;
    private @Nullable Summary last;
    private long lastAt;

    AuditMeters(PostgresAudits store) {
        this.store = store;
        this.lastAt = System.nanoTime() - FRESH;
    }

    void bindTo(MeterRegistry meters, List<KeyFamily> families) {
        findings(meters, "error", Summary::errors);
        findings(meters, "warning", Summary::warnings);
        findings(meters, "info", Summary::infos);
        Gauge.builder("hotstate.audit.undeclared.keys", () -> read(Summary::undeclared))
                .description("Keys of no declared family, by the last audit.")
                .register(meters);
        for (var family : families) {
            family(
                    meters,
                    "bytes",
                    "Memory of a family's keys, by the last audit.",
                    family.name(),
                    FamilyFigures::bytes);
            family(meters, "keys", "Keys of a family, by the last audit.", family.name(), FamilyFigures::keys);
        }
    }

    private void findings(MeterRegistry meters, String severity, ToDoubleFunction<Summary> figure) {
        Gauge.builder("hotstate.audit.findings", () -> read(figure))
                .description("Findings of the last audit.")
                .tag("severity", severity)
                .register(meters);
    }

    private void family(
            MeterRegistry meters,
            String what,
            String description,
            String name,
            ToDoubleFunction<FamilyFigures> figure) {
        Gauge.builder(
                        "hotstate.audit.family." + what,
                        () -> read(summary -> summary.families().stream()
                                .filter(family -> family.name().equals(name))
                                .mapToDouble(figure)
                                .sum()))
                .description(description)
                .tag("family", name)
                .register(meters);
    }

    private synchronized double read(ToDoubleFunction<Summary> figure) {
        if (System.nanoTime() - lastAt >= FRESH) {
            lastAt = System.nanoTime();
            last = ask();
        }
        return last == null ? Double.NaN : figure.applyAsDouble(last);
    }

    private @Nullable Summary ask() {
        try {
            return store.newest().orElse(null);
        } catch (StoreException away) {
            return null;
        }
    }
}
