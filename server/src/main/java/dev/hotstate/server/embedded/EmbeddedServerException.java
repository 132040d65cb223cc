package dev.hotstate.server.embedded;

/** An embedded server cannot be had; the message is one sentence for the user, with a way out where there is one. */
public final class EmbeddedServerException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    EmbeddedServerException(String message) {
        super(message);
    }

    EmbeddedServerException(String message, Throwable cause) {
        super(message, cause);
    }
}
