package dev.hotstate.jobs;

/** There is no such job, or no such task in it. */
public final class UnknownJobException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnknownJobException(String what) {
        super(what);
    }
}
