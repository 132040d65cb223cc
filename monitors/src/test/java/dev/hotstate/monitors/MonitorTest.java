package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Cron;
import dev.hotstate.monitors.Monitor.Push;
import dev.hotstate.monitors.Monitor.Rhythm;
import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class MonitorTest {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    @Test
    void anAskedMonitorIsStaleAfterItsIntervalAndItsTimeout() {
        assertThat(Bench.monitor("web", Rhythm.DEFAULTS).staleAfter(NOON)).isEqualTo(Duration.ofSeconds(75));
    }

    @Test
    void aJobOfACronIsNotStaleBeforeItsNextTimeAndItsGrace() {
        Push nightly = new Push(Duration.ofHours(1), Cron.of("0 3 * * *", "UTC"));
        CheckSpec spec = new CheckSpec(CheckType.PUSH, "", Duration.ofSeconds(10), List.of(), CheckOptions.DEFAULTS);
        Monitor backup = new Monitor(
                "backup", "backup", spec, Rhythm.DEFAULTS, nightly, List.of(), List.of(), List.of(), null, false);

        assertThat(backup.staleAfter(NOON)).isEqualTo(Duration.ofHours(16).plusSeconds(5));
    }
}
