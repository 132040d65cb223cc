package dev.hotstate.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PostgresTextTest {
    @Test
    void anArrayQuotesWhatIsTextAndKnowsNull() {
        assertThat(PostgresText.of(Arrays.asList("a,b", "say \"hi\"", "c\\d", "", null, "NULL", 7, true)))
                .isEqualTo("{\"a,b\",\"say \\\"hi\\\"\",\"c\\\\d\",\"\",NULL,\"NULL\",7,true}");
    }

    @Test
    void bytesAreHexadecimal() {
        assertThat(PostgresText.of(new byte[] {0, 1, -1})).isEqualTo("\\x0001ff");
    }

    @Test
    void whatPostgresTextCannotHoldIsRefusedWithItsPlace() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PostgresText.of("ab\0"))
                .withMessage("cannot store the character U+0000 at position 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PostgresText.of("a\uD83D"))
                .withMessage("cannot store the character U+D83D at position 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PostgresText.of(Map.of()))
                .withMessageStartingWith("cannot store a java.util.");
    }
}
