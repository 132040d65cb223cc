package dev.hotstate.jobs;

/** What was asked of a job or task does not fit the state it is in. */
public final class JobStateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JobStateException(String message) {
        super(message);
    }
}
