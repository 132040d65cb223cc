package dev.hotstate.server.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.Lane;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ServedQueuesTest {
    private Set<Lane> waiting = Set.of();
    private final List<Collection<String>> served = new ArrayList<>();
    private final ServedQueues queues = new ServedQueues(() -> waiting, served::add);

    @Test
    void aQueueWithACommandOrARequestIsServedFromThenOnAndOthersAreNot() {
        look(new Lane("a", "http"), new Lane("b", "worker"), new Lane("c", "h.render"));
        look(new Lane("d", "shell"));
        look();
        assertThat(served).containsExactly(List.of("a"), List.of("a", "d"));
    }

    @Test
    void ofTooManyQueuesThoseInWhichNothingWaitedForLongestAreLeft() {
        for (int i = 0; i <= ServedQueues.MOST; i++) {
            look(new Lane("q" + i, "http"));
        }
        assertThat(served.getLast())
                .hasSize(ServedQueues.MOST)
                .doesNotContain("q0")
                .endsWith("q" + ServedQueues.MOST);
    }

    @Test
    void whereSomethingWaitsInTooManyQueuesTheyTakeTurns() {
        Lane[] all = IntStream.range(0, 3 * ServedQueues.MOST)
                .mapToObj(i -> new Lane("q" + i, "http"))
                .toArray(Lane[]::new);

        look(all);
        look(all);
        look(all);

        assertThat(served.stream().flatMap(Collection::stream))
                .hasSize(all.length)
                .doesNotHaveDuplicates();
    }

    /** A second is passed over twice before it looks again. */
    private void look(Lane... lanes) {
        waiting = Set.of(lanes);
        for (int second = 0; second < 3; second++) {
            queues.look();
        }
    }
}
