package dev.hotstate.server.jobs;

import dev.hotstate.jobs.JobKeys;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.util.regex.Pattern;

/**
 * Which job and task a path means. A task's id may be any word, also one of the API: nothing else stands in its place in
 * a path.
 */
record JobPath(String job, String task) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    static JobPath of(Request request) {
        return new JobPath(job(request), task(request));
    }

    static String job(Request request) {
        String id = request.id("id");
        if (id.length() > JobKeys.MAX_JOB) {
            throw unknownJob(id);
        }
        return id;
    }

    private static String task(Request request) {
        String id = request.path("task");
        if (!NAME.matcher(id).matches()) {
            throw Problem.invalid("task", "must be 1 to " + JobKeys.MAX_TASK + " of A-Z a-z 0-9 . _ -");
        }
        if (id.length() > JobKeys.MAX_TASK) {
            throw Problem.notFound("There is no such task.");
        }
        return id;
    }

    /** Whether there could be a job and a task of these names; what cannot is known to nobody. */
    static boolean isPossible(String job, String task) {
        return isName(job, JobKeys.MAX_JOB) && isName(task, JobKeys.MAX_TASK);
    }

    static boolean isName(String text, int most) {
        return text.length() <= most && NAME.matcher(text).matches();
    }

    Problem unknown() {
        return Problem.notFound("There is no task \"" + task + "\" in a job \"" + job + "\".");
    }

    static Problem unknownJob(String id) {
        return Problem.notFound("There is no job \"" + id + "\".");
    }
}
