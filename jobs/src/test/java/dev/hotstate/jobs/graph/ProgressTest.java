package dev.hotstate.jobs.graph;

import static dev.hotstate.jobs.graph.TaskStatus.CANCELLED;
import static dev.hotstate.jobs.graph.TaskStatus.FAILED;
import static dev.hotstate.jobs.graph.TaskStatus.READY;
import static dev.hotstate.jobs.graph.TaskStatus.RUNNING;
import static dev.hotstate.jobs.graph.TaskStatus.SKIPPED;
import static dev.hotstate.jobs.graph.TaskStatus.SUCCEEDED;
import static dev.hotstate.jobs.graph.TaskStatus.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgressTest {

    @Test
    void aNewJobBeginsWithItsRoots() {
        Progress progress = Progress.of(diamond(Trigger.ALL_SUCCESS), Map.of());

        assertThat(progress.status(0)).isEqualTo(READY);
        assertThat(progress.status(1)).isEqualTo(READY);
        assertThat(progress.status(2)).isEqualTo(WAITING);
        assertThat(progress.remaining(2)).isEqualTo(2);
        assertThat(progress.open()).isEqualTo(4);
    }

    @ParameterizedTest
    @CsvSource({
        "ALL_SUCCESS, SUCCEEDED, SUCCEEDED, READY",
        "ALL_SUCCESS, SUCCEEDED, WAITING, WAITING",
        "ALL_SUCCESS, FAILED, WAITING, SKIPPED",
        "ALL_SUCCESS, WAITING, SKIPPED, SKIPPED",
        "ALL_DONE, FAILED, SKIPPED, READY",
        "ALL_DONE, FAILED, WAITING, WAITING",
        "NONE_FAILED, SKIPPED, SUCCEEDED, READY",
        "NONE_FAILED, FAILED, WAITING, SKIPPED",
        "NONE_FAILED, SKIPPED, WAITING, WAITING",
        "ONE_FAILED, FAILED, WAITING, READY",
        "ONE_FAILED, SKIPPED, SUCCEEDED, SKIPPED",
        "ONE_FAILED, SUCCEEDED, WAITING, WAITING",
        "ONE_SUCCESS, SUCCEEDED, WAITING, READY",
        "ONE_SUCCESS, FAILED, SKIPPED, SKIPPED",
        "ONE_SUCCESS, FAILED, WAITING, WAITING"
    })
    void aRuleIsDecidedByHowTheNeedsHaveEnded(Trigger rule, TaskStatus a, TaskStatus b, TaskStatus decided) {
        assertThat(Progress.of(diamond(rule), Map.of("a", a, "b", b)).status(2)).isEqualTo(decided);
    }

    @Test
    void whatFollowsFromASkipFollowsToo() {
        Progress progress = Progress.of(diamond(Trigger.ALL_SUCCESS), Map.of("a", FAILED, "b", SUCCEEDED));

        assertThat(progress.status(2)).isEqualTo(SKIPPED);
        assertThat(progress.status(3)).isEqualTo(SKIPPED);
        assertThat(progress.open()).isZero();
        assertThat(progress.count(SKIPPED)).isEqualTo(2);
        assertThat(progress.other(3)).isEqualTo(1);
        assertThat(progress.failed(2)).isEqualTo(1);
    }

    @Test
    void whatWasUnderWayIsReadyAgain() {
        assertThat(Progress.of(diamond(Trigger.ALL_SUCCESS), Map.of("a", RUNNING))
                        .status(0))
                .isEqualTo(READY);
    }

    @Test
    void anEndThatIsKnownStaysWhateverItsRuleSays() {
        Progress progress = Progress.of(diamond(Trigger.ALL_SUCCESS), Map.of("a", FAILED, "c", SUCCEEDED));

        assertThat(progress.status(2)).isEqualTo(SUCCEEDED);
        assertThat(progress.status(3)).isEqualTo(READY);
    }

    @Test
    void ofOneSuccessThoseThatSucceededAreCounted() {
        Progress progress = Progress.of(diamond(Trigger.ONE_SUCCESS), Map.of("a", SUCCEEDED, "b", CANCELLED));

        assertThat(progress.other(2)).isEqualTo(1);
        assertThat(progress.remaining(2)).isZero();
    }

    /** c needs a and b by the rule, and d needs c. */
    private static Graph diamond(Trigger rule) {
        return Graph.of(JobSpec.named("diamond")
                .task("a", task -> {})
                .task("b", task -> {})
                .task("c", task -> task.needs("a", "b").trigger(rule))
                .task("d", task -> task.needs("c"))
                .build());
    }
}
