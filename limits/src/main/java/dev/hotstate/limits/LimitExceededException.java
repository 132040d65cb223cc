package dev.hotstate.limits;

import dev.hotstate.core.HotstateException;

/** A call was not let through within its deadline; nothing was spent. */
public final class LimitExceededException extends HotstateException {
    private static final long serialVersionUID = 1L;

    private final transient Decision.Denied decision;

    LimitExceededException(Decision.Denied decision) {
        super("the limit is reached; the next chance is in " + decision.retryAfter());
        this.decision = decision;
    }

    public Decision.Denied decision() {
        return decision;
    }
}
