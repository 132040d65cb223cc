package dev.hotstate.jobs.work;

/** A command or a request failed, and its message says all; trying again may be of use. */
final class RunFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    RunFailedException(String message) {
        super(message);
    }
}
