package dev.hotstate.store;

/** PostgreSQL cannot be reached now, or has no connection to spare. The same call may succeed later. */
public final class StoreUnavailableException extends StoreException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
