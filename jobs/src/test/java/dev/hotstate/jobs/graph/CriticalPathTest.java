package dev.hotstate.jobs.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CriticalPathTest {
    private final Graph graph = Graph.of(JobSpec.named("x")
            .task("end", task -> task.needs("long", "two"))
            .task("long", task -> task.needs("start"))
            .task("two", task -> task.needs("one"))
            .task("one", task -> task.needs("start"))
            .task("start", task -> {})
            .build());

    @Test
    void withoutTimesItIsTheWayWithTheMostTasks() {
        assertThat(CriticalPath.of(graph, Map.of())).containsExactly("start", "one", "two", "end");
    }

    @Test
    void withTimesItIsTheWayThatTookLongest() {
        assertThat(CriticalPath.of(graph, Map.of("long", Duration.ofSeconds(3), "one", Duration.ofSeconds(2))))
                .containsExactly("start", "long", "end");
    }
}
