package dev.hotstate.jobs.graph;

/** Where a job is on its way; its name is what Redis, PostgreSQL and the API call it. */
public enum JobStatus {
    PENDING(false),
    RUNNING(false),
    PAUSED(false),
    SUCCEEDED(true),
    FAILED(true),
    CANCELLED(true);

    private final boolean terminal;

    JobStatus(boolean terminal) {
        this.terminal = terminal;
    }

    public boolean isTerminal() {
        return terminal;
    }
}
