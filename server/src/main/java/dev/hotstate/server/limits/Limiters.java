package dev.hotstate.server.limits;

import dev.hotstate.limits.Check;
import dev.hotstate.limits.RateLimiter;
import java.util.Optional;

/** The limiter of the rules in PostgreSQL, and that of the server's own limit on its callers, if it has one. */
record Limiters(RateLimiter rules, Optional<RequestLimit> own) implements AutoCloseable {

    /** The one that holds this rule. */
    RateLimiter of(Check check) {
        return own.filter(limit -> check.rule().equals(RequestLimit.RULE))
                .map(RequestLimit::limiter)
                .orElse(rules);
    }

    @Override
    public void close() {
        own.ifPresent(RequestLimit::close);
        rules.close();
    }
}
