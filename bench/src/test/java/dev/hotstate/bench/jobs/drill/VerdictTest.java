package dev.hotstate.bench.jobs.drill;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.bench.jobs.drill.HttpHands.Told;
import dev.hotstate.bench.jobs.drill.Traces.Attempt;
import dev.hotstate.bench.jobs.drill.Traces.Effect;
import dev.hotstate.bench.jobs.drill.Traces.Who;
import dev.hotstate.core.Fence;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.jobs.graph.Trigger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    private static final Fence EARLIER = new Fence(1, 10);
    private static final Fence LATER = new Fence(1, 11);

    /** One that succeeds, one that fails after it, and one that runs because of that. */
    private static final Plan PLAN = new Plan(
            JobSpec.named("Plan")
                    .id("j")
                    .task("a", task -> task.handler(Plan.HANDLER))
                    .task("b", task -> task.handler(Plan.HANDLER).needs("a"))
                    .task("c", task -> task.handler(Plan.HANDLER).needs("b").trigger(Trigger.ONE_FAILED))
                    .build(),
            Map.of("a", Fate.SURE, "b", Fate.DOOMED, "c", Fate.OPEN));

    private static final Effect A = effect("a", 1, 2, null);
    private static final Effect C = effect("c", 5, 6, null);
    private static final Map<String, TaskStatus> AS_PLANNED =
            Map.of("a", TaskStatus.SUCCEEDED, "b", TaskStatus.FAILED, "c", TaskStatus.SUCCEEDED);

    @Test
    void aJobThatEndedAsItMustWithEachEffectOnceIsAsPromised() {
        assertThat(faults(JobStatus.FAILED, AS_PLANNED, A, C)).isEmpty();
    }

    @Test
    void aJobThatIsGoneOrHasNotEndedIsAFault() {
        assertThat(Verdict.of(List.of(PLAN), new Books(Map.of(), Map.of(), List.of(), List.of()), List.of())
                        .faults())
                .singleElement()
                .asString()
                .startsWith("lost");
        assertThat(faults(JobStatus.RUNNING, AS_PLANNED, A, C))
                .singleElement()
                .asString()
                .startsWith("not ended");
    }

    @Test
    void aJobWithTheWrongEndIsAFault() {
        assertThat(faults(JobStatus.SUCCEEDED, AS_PLANNED, A, C))
                .singleElement()
                .asString()
                .startsWith("wrong: the job j");
    }

    @Test
    void aSureTaskThatFailedIsAFault() {
        Map<String, TaskStatus> failed =
                Map.of("a", TaskStatus.FAILED, "b", TaskStatus.SKIPPED, "c", TaskStatus.SKIPPED);
        assertThat(faults(JobStatus.FAILED, failed)).singleElement().asString().startsWith("wrong: j:a");
    }

    @Test
    void aTaskThatRanAgainstItsRuleIsAFault() {
        Map<String, TaskStatus> skipped =
                Map.of("a", TaskStatus.SUCCEEDED, "b", TaskStatus.FAILED, "c", TaskStatus.SKIPPED);
        assertThat(faults(JobStatus.FAILED, skipped, A))
                .singleElement()
                .asString()
                .startsWith("wrong: j:c");
    }

    @Test
    void anOpenTaskIsJudgedByItsEffect() {
        Map<String, TaskStatus> failed =
                Map.of("a", TaskStatus.SUCCEEDED, "b", TaskStatus.FAILED, "c", TaskStatus.FAILED);
        assertThat(faults(JobStatus.FAILED, failed, A)).isEmpty();
        assertThat(faults(JobStatus.FAILED, failed, A, C)).anyMatch(fault -> fault.startsWith("wrong: j:c"));
        assertThat(faults(JobStatus.FAILED, AS_PLANNED, A)).anyMatch(fault -> fault.startsWith("wrong: j:c"));
    }

    @Test
    void anEffectThatIsMissingOrThereTwiceIsAFault() {
        assertThat(faults(JobStatus.FAILED, AS_PLANNED, C))
                .singleElement()
                .asString()
                .startsWith("effects: 0 of j:a");
        assertThat(faults(JobStatus.FAILED, AS_PLANNED, A, A, C))
                .singleElement()
                .asString()
                .startsWith("effects: 2 of j:a");
    }

    @Test
    void aTaskWithoutAStateIsAFault() {
        Map<String, TaskStatus> without = Map.of("a", TaskStatus.SUCCEEDED, "b", TaskStatus.FAILED);
        assertThat(faults(JobStatus.FAILED, without, A))
                .anyMatch(fault -> fault.startsWith("unknown: j:c"))
                .anyMatch(fault -> fault.startsWith("miscounted"));
    }

    @Test
    void aHandlerThatBeganBeforeWhatItWaitsForIsAFault() {
        Plan chain = new Plan(
                JobSpec.named("Chain")
                        .id("j")
                        .task("a", task -> task.handler(Plan.HANDLER))
                        .task("b", task -> task.handler(Plan.HANDLER).needs("a"))
                        .build(),
                Map.of("a", Fate.SURE, "b", Fate.SURE));
        Map<String, TaskStatus> states = Map.of("a", TaskStatus.SUCCEEDED, "b", TaskStatus.SUCCEEDED);
        assertThat(faults(chain, JobStatus.SUCCEEDED, states, A, effect("b", 2, 3, null)))
                .isEmpty();
        assertThat(faults(chain, JobStatus.SUCCEEDED, states, A, effect("b", 1, 3, null)))
                .singleElement()
                .asString()
                .startsWith("order");
    }

    @Test
    void aHandlerThatBeganBeforeAnyFailureThatItWaitsForIsAFault() {
        assertThat(faults(JobStatus.FAILED, AS_PLANNED, A, effect("c", 3, 6, null)))
                .singleElement()
                .asString()
                .startsWith("order");
    }

    @Test
    void aHandlerThatWasGivenTheWrongResultIsAFault() {
        assertThat(faults(JobStatus.FAILED, AS_PLANNED, effect("a", 1, 2, "the result of x was missing"), C))
                .singleElement()
                .asString()
                .startsWith("given: to j:a");
    }

    @Test
    void aLateEndThatCountedIsAFaultAndOneThatWasRefusedIsNot() {
        assertThat(late(EARLIER, LATER, 409)).isEmpty();
        assertThat(late(LATER, LATER, 200)).isEmpty();
        assertThat(late(LATER, LATER, 409)).isEmpty();
        assertThat(late(EARLIER, LATER, 200)).singleElement().asString().startsWith("late");
        assertThat(late(EARLIER, LATER, 404)).singleElement().asString().startsWith("refused otherwise");
    }

    private static List<String> late(Fence fence, Fence later, int status) {
        Books none = new Books(Map.of(), Map.of(), List.of(), List.of());
        return Verdict.of(List.of(), none, List.of(new Told("j", "t", fence, later, status)))
                .faults();
    }

    private static List<String> faults(JobStatus job, Map<String, TaskStatus> tasks, Effect... effects) {
        return faults(PLAN, job, tasks, effects);
    }

    private static List<String> faults(Plan plan, JobStatus job, Map<String, TaskStatus> states, Effect... effects) {
        Map<String, Books.Task> tasks = new HashMap<>();
        states.forEach((id, status) -> tasks.put(id, new Books.Task(status, 1, "")));
        Attempt failing = new Attempt(who("b"), at(4));
        Books books = new Books(
                Map.of("j", new Books.Job(job, states.size())), Map.of("j", tasks), List.of(failing), List.of(effects));
        return Verdict.of(List.of(plan), books, List.of()).faults();
    }

    private static Effect effect(String task, int began, int wrote, String flaw) {
        return new Effect(who(task), at(began), at(wrote), flaw);
    }

    private static Who who(String task) {
        return new Who("j", task, 1, "1-1", "worker");
    }

    private static Instant at(int seconds) {
        return NOON.plusSeconds(seconds);
    }
}
