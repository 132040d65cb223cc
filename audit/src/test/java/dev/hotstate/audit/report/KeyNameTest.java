package dev.hotstate.audit.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class KeyNameTest {
    @Test
    void plainNamesAreShownAsTheyAreAndOthersEscaped() {
        assertThat(KeyName.shown("prod:api:{u1}:x".getBytes(UTF_8))).isEqualTo("prod:api:{u1}:x");
        assertThat(KeyName.shown("schlüssel".getBytes(UTF_8))).isEqualTo("schlüssel");
        assertThat(KeyName.shown("a\n\u001b[31m\\".getBytes(UTF_8))).isEqualTo("a\\n\\x1b[31m\\\\");
        assertThat(KeyName.shown("\u202eabc\u0085".getBytes(UTF_8))).isEqualTo("\\u202eabc\\u0085");
        assertThat(KeyName.shown(new byte[] {'a', (byte) 0xff, 0})).isEqualTo("a\\xff\\x00");
    }

    @Property(tries = 500)
    void whateverBytesItHasNothingOfItActs(@ForAll byte[] name) {
        assertThat(KeyName.shown(name).codePoints())
                .noneMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT);
    }

    @Test
    void aFindingKeepsFewExamplesInOrderAndPlainNumbers() {
        Finding finding = new Finding(
                "key-type",
                Severity.ERROR,
                null,
                "s",
                List.of("l", "k", "j", "i", "h", "g", "f", "e", "d", "c", "b", "a"),
                "evidence",
                Map.of("whole", 3, "part", 0.5f),
                null,
                "remedy");

        assertThat(finding.keys()).containsExactly("a", "b", "c", "d", "e", "f", "g", "h", "i", "j");
        assertThat(finding.numbers()).containsExactly(Map.entry("part", 0.5), Map.entry("whole", 3L));
        assertThat(finding.fingerprint()).isEqualTo("key-type||s");
    }

    @Test
    void everyRuleIsKnownByItsIdOnce() {
        assertThat(Rules.all()).extracting(Rule::id).doesNotHaveDuplicates();
        assertThat(Rules.all())
                .allSatisfy(rule -> assertThat(Rules.byId(rule.id())).contains(rule));
        assertThat(Rules.byId("none")).isEmpty();
    }
}
