package dev.hotstate.server.http;

/** The HTTP server cannot start; the message is one sentence that says why and what to do. */
public final class CannotStartException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CannotStartException(String message) {
        super(message);
    }

    public CannotStartException(String message, Throwable cause) {
        super(message, cause);
    }
}
