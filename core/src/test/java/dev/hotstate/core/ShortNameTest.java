package dev.hotstate.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class ShortNameTest {
    private static final KeyFamily FAMILY = KeyFamily.string("{<name>}:short")
            .text("name", 20)
            .owner("test")
            .kept("a test")
            .typically(1, 1)
            .example("{x}:short")
            .why("a test")
            .declared();

    @Property
    void everyTextFitsItsVariable(@ForAll @StringLength(min = 1, max = 60) String text) {
        Assume.that(UTF_8.newEncoder().canEncode(text));

        assertThat(FAMILY.of(ShortName.of(text, 20, 10)).name()).hasSizeLessThanOrEqualTo(28);
    }

    @Test
    void whatFitsStandsForItselfAndTheRestKeepsItsBeginning() {
        assertThat(ShortName.of("twenty-bytes-exactly", 20, 10)).isEqualTo("twenty-bytes-exactly");
        assertThat(ShortName.of("twenty-one-bytes-this", 20, 10)).matches("twenty-on~[A-Za-z0-9_-]{10}");
        assertThat(ShortName.of("😀😀", 20, 10)).matches("~[A-Za-z0-9_-]{10}");
    }

    @Test
    void aTextThatLooksShortenedIsNot() {
        String hash = ShortName.of("twenty-one-bytes-this", 20, 10);

        assertThat(ShortName.of(hash, 20, 10)).isNotEqualTo(hash);
    }
}
