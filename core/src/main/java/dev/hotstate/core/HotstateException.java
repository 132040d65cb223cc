package dev.hotstate.core;

import org.jspecify.annotations.Nullable;

/** The one unchecked root of what hotstate throws when something is broken. */
public class HotstateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public HotstateException(String message) {
        super(message);
    }

    public HotstateException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
