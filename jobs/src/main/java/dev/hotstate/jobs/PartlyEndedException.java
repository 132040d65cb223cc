package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;

/** Of several endings some have counted, and others could not be told. All may be told again: what counted is done. */
public final class PartlyEndedException extends HotstateException {
    private static final long serialVersionUID = 1L;

    PartlyEndedException(HotstateException cause) {
        super(
                "some of the tasks have ended and others could not be reached; repeat all of them, those that have ended"
                        + " are answered as done: " + cause.getMessage(),
                cause);
    }
}
