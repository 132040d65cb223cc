package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CallTest {
    @Test
    void oneSubjectIsItsOwnTag() {
        assertThat(Call.of("login", "ann")).isEqualTo(new Call("ann", 1, List.of(new Check("login", "ann"))));
        assertThat(Call.of(List.of(new Check("a", "ann"), new Check("b", "ann")))
                        .tag())
                .isEqualTo("ann");
    }

    @Test
    void differentSubjectsNeedATag() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Call.of(List.of(new Check("a", "ann"), new Check("a", "bob"))))
                .withMessage("tag must be given when the subjects of the checks differ");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void aCostIsAtLeastOne(long cost) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Call.of("r", "ann").costing(cost))
                .withMessage("cost must be at least 1, not " + cost);
    }

    @Test
    void aCallHasOneToSixteenChecksThatDiffer() {
        List<Check> seventeen =
                IntStream.range(0, 17).mapToObj(i -> new Check("r" + i, "ann")).toList();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Call.of(seventeen))
                .withMessage("checks must be 1 to 16, not 17");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Call.of(List.of()))
                .withMessage("checks must be 1 to 16, not 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Call.of(List.of(new Check("r", "ann"), new Check("r", "ann"))))
                .withMessageStartingWith("checks must differ");
    }

    @Test
    void aSubjectIsOneTo256BytesOfUnicode() {
        assertThat(new Check("r", "ä".repeat(128)).subject()).hasSize(128);
        Map.of(
                        "",
                        "0 characters",
                        "a".repeat(257),
                        "257 characters",
                        "x".repeat(10_000_000),
                        "10000000 characters",
                        "ä".repeat(129),
                        "258 bytes",
                        "half \uD83D a pair",
                        "a text with half a character in it")
                .forEach((wrong, told) -> assertThatIllegalArgumentException()
                        .isThrownBy(() -> new Check("r", wrong))
                        .withMessage("subject must be 1 to 256 bytes of Unicode, not " + told));
    }
}
