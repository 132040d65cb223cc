package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;

/** An attempt may not write any more; nothing of it was written. */
public final class EffectRefusedException extends HotstateException {
    private static final long serialVersionUID = 1L;

    public EffectRefusedException(String message) {
        super(message);
    }
}
