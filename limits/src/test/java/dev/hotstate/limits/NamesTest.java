package dev.hotstate.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Keyspace;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class NamesTest {
    @Test
    void whatFitsStandsForItself() {
        assertThat(Names.ofSubject("user:123")).isEqualTo("user:123");
        assertThat(Names.ofSubject("fifteen-bytes-1")).isEqualTo("fifteen-bytes-1");
        assertThat(Names.ofRule("eighteen-bytes-123")).isEqualTo("eighteen-bytes-123");
    }

    @Test
    void whatDoesNotFitStandsAsAHash() {
        assertThat(Names.ofSubject("sixteen-bytes-12")).matches("~[A-Za-z0-9_-]{14}");
        assertThat(Names.ofSubject("ffffff:f:f:f")).matches("~[A-Za-z0-9_-]{14}");
        assertThat(Names.ofSubject("äöüäöü")).matches("~[A-Za-z0-9_-]{14}");
        assertThat(Names.ofRule("nineteen-bytes-1234")).matches("ninetee~[A-Za-z0-9_-]{10}");
    }

    @Test
    void nothingLooksLikeAHashThatIsNone() {
        assertThat(Names.ofSubject("~")).isNotEqualTo("~").startsWith("~");
        String hash = Names.ofSubject("sixteen-bytes-12");
        assertThat(Names.ofSubject(hash)).isNotEqualTo(hash);
    }

    @Property
    void everyTextMakesAKeyOfTheDeclaredFamilies(@ForAll @StringLength(min = 1, max = 60) String text) {
        Assume.that(UTF_8.newEncoder().canEncode(text));
        Keyspace keyspace = Keyspace.of("p".repeat(32), LimitKeys.SERVICE);
        String name = keyspace.wholeName(LimitKeys.LOG.of(Names.ofSubject(text), "r", Names.ofSubject(text)));

        assertThat(name).hasSizeLessThan(100);
        assertThat(keyspace.find(name)).contains(LimitKeys.LOG);
    }

    @Test
    void similarTextsKeepCountersOfTheirOwn() {
        List<String> alike =
                List.of("a", "A", "a ", "%61", "a:", "a{", "~a", "a".repeat(16), "a".repeat(17), "ä", "a\n");
        Set<String> names = new HashSet<>();
        alike.forEach(text ->
                names.add(LimitKeys.COUNTER.of("t", Names.ofSubject(text)).name()));

        assertThat(names).hasSameSizeAs(alike);
    }

    @Test
    void aRuleIsNamedByElevenBytesInASlotAndSimilarRulesStayApart() {
        assertThat(Names.ofSlot('w', "login")).isEqualTo("wlogin     ");
        assertThat(Names.ofSlot('b', "ten-bytes1")).isEqualTo("bten-bytes1");
        assertThat(Names.ofSlot('b', "eleven-byte")).matches("b~[A-Za-z0-9_-]{9}");
        List<String> alike = List.of("a", "A", "aa", "a.", "a".repeat(10), "a".repeat(11), "a".repeat(64));
        Set<String> labels = new HashSet<>();
        alike.forEach(id -> labels.add(Names.ofSlot('w', id)));

        assertThat(labels).hasSameSizeAs(alike).allMatch(label -> label.length() == 11);
    }
}
