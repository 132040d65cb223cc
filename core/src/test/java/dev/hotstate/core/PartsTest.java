package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartsTest {
    private final List<String> ended = new ArrayList<>();

    @Test
    void partsEndInTheOppositeOrderEvenIfOneFailsTo() {
        Parts whole = Parts.together("a test", parts -> {
            parts.keep(() -> ended.add("first"));
            parts.keep(() -> {
                throw new IllegalStateException("broken");
            });
            parts.keep(() -> ended.add("last"));
            return parts;
        });

        assertThat(ended).isEmpty();
        whole.close();
        assertThat(ended).containsExactly("last", "first");
        whole.close();
        assertThat(ended).hasSize(2);
    }

    @Test
    void whatWasBegunEndsWhereTheWholeCannotBeBuilt() {
        assertThatThrownBy(() -> Parts.together("a test", parts -> {
                    parts.keep(() -> ended.add("begun"));
                    throw new IllegalStateException("no more");
                }))
                .hasMessage("no more");
        assertThat(ended).containsExactly("begun");
    }
}
