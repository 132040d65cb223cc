package dev.hotstate.jobs.graph;

import java.time.Duration;

/** What is meant where nothing is said. */
final class JobDefaults {
    static final String QUEUE = "default";
    static final String AUTHOR = "anonymous";
    static final Duration BACKOFF = Duration.ofSeconds(1);
    static final Duration TIMEOUT = Duration.ofHours(1);
    static final Run EXTERNAL = new Run.External();

    private JobDefaults() {}
}
