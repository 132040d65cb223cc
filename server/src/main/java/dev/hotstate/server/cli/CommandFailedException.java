package dev.hotstate.server.cli;

/** A command cannot run; the message is one sentence for the user. */
final class CommandFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CommandFailedException(String message) {
        super(message);
    }
}
