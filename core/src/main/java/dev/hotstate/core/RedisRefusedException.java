package dev.hotstate.core;

/** Redis answered with an error: the command is wrong, or its user may not send it. Repeating it would not help. */
public final class RedisRefusedException extends HotstateException {
    private static final long serialVersionUID = 1L;

    RedisRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
