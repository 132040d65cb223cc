package dev.hotstate.jobs.work;

import dev.hotstate.jobs.Claimed;
import org.jspecify.annotations.Nullable;

/** What is done with the tasks of a lane, whoever does it: JSON in, JSON out. */
@FunctionalInterface
interface Duty {
    @Nullable
    String perform(Claimed task, TaskContext context) throws Exception;
}
