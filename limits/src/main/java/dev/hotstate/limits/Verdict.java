package dev.hotstate.limits;

import java.time.Duration;

/**
 * How one check stands after a call.
 *
 * @param allowed whether it let the call through; in shadow it always does
 * @param remaining units that could be spent now
 * @param resetAfter when all of the quota will be there again, if nobody spends meanwhile
 * @param retryAfter when this cost can be spent, if nobody else spends meanwhile; zero when allowed
 * @param shadowDenied the rule is in shadow and would have denied
 */
public record Verdict(
        Rule rule,
        String subject,
        boolean allowed,
        long remaining,
        Duration resetAfter,
        Duration retryAfter,
        DecidedBy decidedBy,
        boolean shadowDenied) {}
