package dev.hotstate.monitors;

/** A push monitor was to be asked; it has nobody who could be. */
public final class NotAskedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NotAskedException(String message) {
        super(message);
    }
}
