package dev.hotstate.monitors.check;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketTimeoutException;

/** The check ends here: the target, or the way to it, is not as it must be. The message is for a person. */
final class CheckFailedException extends Exception {
    private static final long serialVersionUID = 1L;

    private final Failure failure;

    CheckFailedException(Failure failure, String message) {
        // Thousands a second may fail, and nobody reads where: no stack trace is gathered.
        super(message, null, false, false);
        this.failure = failure;
    }

    /** @param doing what the check was at, as it goes after "while" */
    static CheckFailedException of(IOException e, Deadline deadline, String doing) {
        if (Thread.currentThread().isInterrupted()) {
            return new CheckFailedException(Failure.INTERRUPTED, "interrupted while " + doing);
        }
        if (deadline.hasPassed() || e instanceof SocketTimeoutException) {
            return deadline.missed(doing);
        }
        String message = e instanceof EOFException ? null : e.getMessage();
        String how = message == null ? "the target closed the connection" : Quoted.excerpt(message, 200);
        return new CheckFailedException(Failure.CLOSED, how + " while " + doing);
    }

    Failure failure() {
        return failure;
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
