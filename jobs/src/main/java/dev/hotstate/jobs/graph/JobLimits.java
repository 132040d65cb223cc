package dev.hotstate.jobs.graph;

import java.time.Duration;

/** How large a job may be. What is larger is refused when it is submitted, with the field that it is about. */
public final class JobLimits {
    public static final int TASKS = 120_000;
    /** Needs of all tasks together. */
    public static final int EDGES = 1_000_000;

    public static final int JOB_ID = 36;
    public static final int TASK_ID = 32;
    public static final int QUEUE = 36;
    /** Names of handlers. */
    public static final int NAME = 30;

    public static final int TITLE = 200;
    public static final int PRIORITY = 100;
    public static final int RETRIES = 100;
    /** Of an input, a result, a command or a request's body, in bytes of UTF-8. */
    public static final int JSON_BYTES = 256 * 1024;

    public static final int DOCUMENT_BYTES = 64 * 1024 * 1024;
    public static final int HEADERS = 50;
    public static final int URL = 2_000;
    public static final Duration BACKOFF = Duration.ofHours(1);
    public static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(100);
    public static final Duration TIMEOUT = Duration.ofDays(30);
    public static final Duration DELAY = Duration.ofDays(365);

    private JobLimits() {}
}
