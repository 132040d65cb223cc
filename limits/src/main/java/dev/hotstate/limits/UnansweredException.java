package dev.hotstate.limits;

import dev.hotstate.core.HotstateException;

/** A call that travelled with others has no answer of its own, whatever became of theirs. */
final class UnansweredException extends HotstateException {
    private static final long serialVersionUID = 1L;

    UnansweredException(String message) {
        super(message);
    }
}
