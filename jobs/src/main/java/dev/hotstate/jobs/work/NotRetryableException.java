package dev.hotstate.jobs.work;

import dev.hotstate.core.HotstateException;
import org.jspecify.annotations.Nullable;

/** The task has failed for good: retries that are left are not used. */
public class NotRetryableException extends HotstateException {
    private static final long serialVersionUID = 1L;

    public NotRetryableException(String message) {
        super(message);
    }

    public NotRetryableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
