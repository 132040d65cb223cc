package dev.hotstate.monitors.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MessageTest {
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    @Property
    void aMessageIsReadAsItWasWrittenAndEachOfItsLinesIsOne(@ForAll String name, @ForAll String error) {
        var alert = new Alert(
                Alert.Kind.CLOSED, 0, 7, new Alert.Subject("web-1", name, "tcp.example.com:25"), 3, NOW, NOW, error);
        var message = Message.of(alert);

        assertThat(Message.parse(message.json())).isEqualTo(message);
        assertThat(message.json()).doesNotContain("\\u0000");
        assertThat(Wording.headline(message).lines()).hasSize(1);
        assertThat(Wording.headline(message)).doesNotContain("\u2028", "\u2029", "\u0085", "\r", "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "https://example.com/a:b@c, https://example.com/a:b@c",
        "redis://:hunter2@cache:6379/0, redis://:***@cache:6379/0",
        "postgres://me:hun:ter@2@db/shop, postgres://me:***@db/shop",
        "https://me@example.com/, https://me@example.com/",
        "mail.example.com:25, mail.example.com:25",
    })
    void aPasswordInATargetIsMasked(String target, String shown) {
        assertThat(new Alert.Subject("id", "name", target).target()).isEqualTo(shown);
    }

    @Test
    void aKeyNamesIncidentKindSequenceAndChannel() {
        assertThat(Alert.Kind.OPENED.key(412, 0, "ops")).isEqualTo("412-opened-0-ops");
        assertThat(Alert.Kind.REMINDER.key(412, 3, "ops")).isEqualTo("412-reminder-3-ops");
        assertThat(Alert.Kind.REMINDER.event()).isEqualTo("incident.reminder");
    }

    @Test
    void aLineIsCutBetweenCharacters() {
        assertThat(Text.oneLine("a\r\n\tb\u0000\u2028c", 10)).isEqualTo("a b\uFFFD c");
        assertThat(Text.oneLine("😀😀😀😀", 3)).isEqualTo("😀😀…");
        assertThat(Text.oneLine("😀😀😀", 3)).isEqualTo("😀😀😀");
        assertThat(Text.storable("😀\uD83D😀", 9)).isEqualTo("😀\uFFFD😀");
    }
}
