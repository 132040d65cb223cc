package dev.hotstate.bench.jobs.drill;

import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.TaskSpec;
import java.util.Map;
import java.util.Objects;

/**
 * A job and how its tasks are to end.
 *
 * @param fates of each task, by its id
 */
record Plan(JobSpec job, Map<String, Fate> fates) {
    /** The handler of Java workers, which writes its effect to PostgreSQL. */
    static final String HANDLER = "effect";

    /** Where workers over HTTP take theirs; those have no effect. */
    static final String HANDS = "hands";

    /** What each task gives to those that need it. */
    static String result(String job, String task) {
        return job + "/" + task;
    }

    Fate fate(String task) {
        return Objects.requireNonNull(fates.get(task), task);
    }

    static boolean hasEffect(TaskSpec task) {
        return !task.queue().equals(HANDS);
    }
}
