package dev.hotstate.store;

import dev.hotstate.core.HotstateException;
import org.jspecify.annotations.Nullable;

/** Something is broken between this program and PostgreSQL. The message is one sentence that a person can act on. */
public class StoreException extends HotstateException {
    private static final long serialVersionUID = 1L;

    public StoreException(String message) {
        super(message);
    }

    public StoreException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
