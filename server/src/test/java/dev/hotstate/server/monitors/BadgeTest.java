package dev.hotstate.server.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.monitors.State;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BadgeTest {
    @ParameterizedTest
    @EnumSource(State.class)
    void everyStateHasABadge(State state) throws Exception {
        assertThat(text(Badge.of("Shop", state))).isEqualTo("Shop" + state.word());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<script>alert(1)</script>",
                "a\"b'c&d",
                "]]>",
                "&#x0;",
                "\u202Egnp.exe",
                "\uFFFF\uFFFE",
                "😀 shop"
            })
    void whateverANameIsItStaysText(String name) throws Exception {
        var shown = text(Badge.of(name, State.UP));
        assertThat(shown).endsWith("up").doesNotContain("\u202E");
    }

    @Test
    void aLongNameIsCutBetweenCharacters() throws Exception {
        assertThat(text(Badge.of("😀".repeat(200), State.UP))).isEqualTo("😀".repeat(39) + "…up");
    }

    @Test
    void uptimeIsCutAndNeverRoundedUp() throws Exception {
        assertThat(text(Badge.of("S", "24h", 99.999))).isEqualTo("S 24h99.99%");
        assertThat(text(Badge.of("S", "24h", 100.0))).isEqualTo("S 24h100.00%");
        assertThat(text(Badge.of("S", "90d", null))).isEqualTo("S 90dunknown");
    }

    @Test
    void theWholeIsAsWellAsItsWorstPart() {
        assertThat(StatusPageMaker.overall(List.of(State.UP, State.DOWN, State.MAINTENANCE)))
                .isEqualTo("down");
        assertThat(StatusPageMaker.overall(List.of(State.UP, State.STALE))).isEqualTo("degraded");
        assertThat(StatusPageMaker.overall(List.of(State.UP, State.MAINTENANCE)))
                .isEqualTo("maintenance");
        assertThat(StatusPageMaker.overall(List.of(State.UP, State.PAUSED, State.PENDING)))
                .isEqualTo("up");
        assertThat(StatusPageMaker.overall(List.of(State.PAUSED, State.PENDING)))
                .isEqualTo("unknown");
        assertThat(StatusPageMaker.overall(List.of())).isEqualTo("unknown");
    }

    /** Of its two texts, as any XML parser reads them. */
    private static String text(Badge badge) throws Exception {
        var document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(badge.svg().getBytes(StandardCharsets.UTF_8)));
        var texts = document.getElementsByTagName("text");
        assertThat(texts.getLength()).isEqualTo(2);
        return texts.item(0).getTextContent() + texts.item(1).getTextContent();
    }
}
