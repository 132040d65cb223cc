package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyHistoryTest {
    private final List<Long> read = new ArrayList<>();
    private final TallyHistory<String> history = new TallyHistory<>(stretches -> {
        read.addAll(stretches);
        return stretches.stream().map(stretch -> "in " + stretch).toList();
    });

    @Test
    void whatIsOverIsReadOnceAndShownOldestFirst() {
        assertThat(history.before(103, 3)).containsExactly("in 100", "in 101", "in 102");
        assertThat(history.before(103, 3)).containsExactly("in 100", "in 101", "in 102");
        assertThat(history.before(104, 3)).containsExactly("in 101", "in 102", "in 103");

        assertThat(read).containsExactly(100L, 101L, 102L, 103L);
    }

    @Test
    void aClockThatWentBackMakesWhatSeemedOverBeReadAgain() {
        history.before(103, 3);
        history.before(102, 3);
        read.clear();

        assertThat(history.before(103, 3)).containsExactly("in 100", "in 101", "in 102");
        assertThat(read).containsExactly(102L);
    }
}
