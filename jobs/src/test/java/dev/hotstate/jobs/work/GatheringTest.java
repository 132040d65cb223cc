package dev.hotstate.jobs.work;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Partition;
import java.util.List;
import org.junit.jupiter.api.Test;

class GatheringTest {
    private static final Partition ONE = new Partition("j0");
    private static final Partition OTHER = new Partition("j1");

    private final Gathering<String> gathering = new Gathering<>(String::length);

    @Test
    void thoseOfOnePartitionGoTogether() {
        gathering.add(ONE, "a");
        gathering.add(OTHER, "b");
        gathering.add(ONE, "c");

        assertThat(gathering.size()).isEqualTo(3);
        assertThat(gathering.take(10, 100)).containsExactly("a", "c");
        assertThat(gathering.take(10, 100)).containsExactly("b");
        assertThat(gathering.isEmpty()).isTrue();
        assertThat(gathering.take(10, 100)).isEmpty();
    }

    @Test
    void aPartitionThatHasMoreThanIsTakenWaitsForItsNextTurn() {
        List.of("a", "b", "c").forEach(item -> gathering.add(ONE, item));
        gathering.add(OTHER, "d");

        assertThat(gathering.take(2, 100)).containsExactly("a", "b");
        assertThat(gathering.take(2, 100)).containsExactly("d");
        assertThat(gathering.take(2, 100)).containsExactly("c");
        assertThat(gathering.size()).isZero();
    }

    @Test
    void whatIsLongGoesInSeveralCalls() {
        List.of("aaaa", "bbbb", "cccc").forEach(item -> gathering.add(ONE, item));

        assertThat(gathering.take(10, 5)).containsExactly("aaaa", "bbbb");
        assertThat(gathering.take(10, 5)).containsExactly("cccc");
    }

    @Test
    void whatComesAfterAPartitionWasEmptiedIsTakenToo() {
        gathering.add(ONE, "a");
        gathering.take(1, 100);
        gathering.add(ONE, "b");

        assertThat(gathering.take(1, 100)).containsExactly("b");
    }
}
