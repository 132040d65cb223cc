package dev.hotstate.audit.wire;

import dev.hotstate.core.HotstateException;
import org.jspecify.annotations.Nullable;

/** A node was not reached, did not answer in time, ended the connection, or did not let us in. */
public final class UnansweredException extends HotstateException {
    private static final long serialVersionUID = 1L;

    public UnansweredException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
