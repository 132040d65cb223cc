package dev.hotstate.limits;

import dev.hotstate.core.HotstateException;

/** A call names a rule that does not exist (any more); nothing was spent. */
public final class UnknownRuleException extends HotstateException {
    private static final long serialVersionUID = 1L;

    private final String rule;

    UnknownRuleException(String rule) {
        super("there is no rule \"" + (rule.length() > 80 ? rule.substring(0, 80) + "…" : rule) + "\"");
        this.rule = rule;
    }

    public String rule() {
        return rule;
    }
}
