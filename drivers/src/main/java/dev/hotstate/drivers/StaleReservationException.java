package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;

/** The reservation has lapsed, was ended, or was never this caller's. Nothing was changed. */
public final class StaleReservationException extends HotstateException {
    private static final long serialVersionUID = 1;

    public StaleReservationException(String message) {
        super(message);
    }
}
