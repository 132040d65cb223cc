package dev.hotstate.core;

import org.jspecify.annotations.Nullable;

/** Redis did not answer within the call's deadline, or its circuit is open. What was sent may or may not have happened. */
public final class RedisUnavailableException extends HotstateException {
    private static final long serialVersionUID = 1L;

    RedisUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
