package dev.hotstate.jobs.graph;

/** Where a task is on its way; its name is what Redis, PostgreSQL and the API call it. */
public enum TaskStatus {
    WAITING(false),
    READY(false),
    DELAYED(false),
    RUNNING(false),
    SUCCEEDED(true),
    FAILED(true),
    SKIPPED(true),
    CANCELLED(true);

    private final boolean terminal;

    TaskStatus(boolean terminal) {
        this.terminal = terminal;
    }

    /** Whether it stays so until the task is run again under a new epoch. */
    public boolean isTerminal() {
        return terminal;
    }
}
