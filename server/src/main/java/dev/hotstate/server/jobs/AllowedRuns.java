package dev.hotstate.server.jobs;

import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.http.FieldError;
import dev.hotstate.server.http.Problem;
import java.util.ArrayList;
import java.util.List;

/** What a server does not run it does not accept either: such a task would wait, and nobody would be told for what. */
final class AllowedRuns {
    private static final int MOST_TOLD = 100;

    private final boolean shell;
    private final boolean http;

    AllowedRuns(Settings.JobRunner runner) {
        this.shell = runner.shell();
        this.http = runner.http();
    }

    /** @param place what the names of fields begin with, such as {@code job.} */
    JobSpec check(JobSpec job, String place) {
        List<FieldError> errors = new ArrayList<>();
        for (int i = 0; i < job.tasks().size() && errors.size() < MOST_TOLD; i++) {
            Run run = job.tasks().get(i).run();
            String field = place + "tasks[" + i + "].run.";
            if (run instanceof Run.Shell && !shell) {
                errors.add(new FieldError(field + "shell", "commands are not run here unless jobs.shell is true"));
            } else if (run instanceof Run.Http && !http) {
                errors.add(new FieldError(field + "http", "requests are not made here, since jobs.http is false"));
            }
        }
        if (!errors.isEmpty()) {
            throw Problem.invalid(errors);
        }
        return job;
    }
}
