package dev.hotstate.limits;

import dev.hotstate.core.HotstateException;

/** A call costs more than a rule could ever allow, so waiting would not help; nothing was spent. */
public final class CostTooHighException extends HotstateException {
    private static final long serialVersionUID = 1L;

    CostTooHighException(Rule rule, long cost) {
        super("cost must be at most " + rule.capacity() + " under the rule \"" + rule.id() + "\", not " + cost);
    }
}
