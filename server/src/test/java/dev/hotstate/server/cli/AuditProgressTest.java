package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.audit.Progress.Step;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class AuditProgressTest {
    @Test
    void aLineTellsHowFarHowFastAndHowLongStill() {
        assertThat(AuditProgress.line(new Step("names", 250_000, 1_000_000, 512_345.6, Duration.ofMillis(1_464))))
                .isEqualTo("names    " + "█".repeat(6) + "░".repeat(18)
                        + " 250,000 of 1,000,000 keys, 512,346 a second, 1 s left");
    }

    @Test
    void whatIsNotKnownIsNotTold() {
        assertThat(AuditProgress.line(new Step("watching", 0, 0, 0, null))).isEqualTo("watching …");
        assertThat(AuditProgress.line(new Step("names", 5, 0, 2, null)))
                .isEqualTo("names    " + "░".repeat(24) + " 5 keys, 2 a second");
    }

    @Test
    void theLineIsWrittenOverAndGoneAtTheEnd() {
        var terminal = new StringWriter();
        try (var progress = AuditProgress.on(new PrintWriter(terminal))) {
            assertThat(progress.at(new Step("names", 1, 2, 3, null))).isTrue();
        }
        assertThat(terminal.toString()).startsWith("\r\u001b[Knames").endsWith("\r\u001b[K");
    }
}
