package dev.hotstate.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestNameTest {
    @ParameterizedTest
    @CsvSource({
        "port,port,0",
        "prot,port,1",
        "por,port,1",
        "pport,port,1",
        "sort,port,1",
        "PORT,port,0",
        "'',port,4",
        "ab,xy,2"
    })
    void aDistanceCountsEdits(String left, String right, int edits) {
        assertThat(NearestName.distance(left, right)).isEqualTo(edits);
        assertThat(NearestName.distance(right, left)).isEqualTo(edits);
    }

    @Test
    void ofTwoEquallyNearNamesTheFirstByAlphabetIsProposed() {
        assertThat(NearestName.hint("cat", List.of("hat", "bat"))).contains("; did you mean \"bat\"?");
    }

    @Test
    void whatIsFarFromEveryNameOrTooLongToBeATypingErrorHasNoHint() {
        assertThat(NearestName.hint("zebra", List.of("interval", "name"))).isEmpty();
        assertThat(NearestName.hint("n".repeat(65), List.of("n".repeat(65)))).isEmpty();
    }
}
