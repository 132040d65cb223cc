package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;

/** There is no such driver, reservation or region. */
public final class UnknownDriverException extends HotstateException {
    private static final long serialVersionUID = 1;

    public UnknownDriverException(String message) {
        super(message);
    }
}
