package dev.hotstate.limits;

import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Service;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The keys of rate limits: one for each (tag, rule, subject) that was asked for lately. */
public final class LimitKeys {
    /** Two windows of the longest rule, and what rounding adds; a counter's script sets what it needs. */
    private static final Duration LONGEST = Duration.ofDays(2 * 366 + 1);

    static final KeyFamily COUNTER = KeyFamily.string("{<tag>}:rate_limit:<rule>:<subject>")
            .text("tag", Names.MAX_SUBJECT)
            .text("rule", Names.MAX_RULE)
            .text("subject", Names.MAX_SUBJECT)
            .owner("limits")
            .field(
                    "w start count previous",
                    "a fixed or sliding window: when it began (us), what was spent in it and" + " in the one before")
            .field(
                    "b last level token",
                    "a token bucket: when it was last spent from (us), how full it is of what was"
                            + " spent, and what one unit fills")
            .expires(LONGEST)
            .typically(1, 40)
            .example("{acme}:rate_limit:login:user%3A123")
            .why("what a subject has spent under a rule; at most 240 bytes a subject, whatever the limit")
            .declared();

    static final KeyFamily LOG = KeyFamily.zset("{<tag>}:sliding_limit:<rule>:<subject>")
            .text("tag", Names.MAX_SUBJECT)
            .text("rule", Names.MAX_RULE)
            .text("subject", Names.MAX_SUBJECT)
            .owner("limits")
            .field("us-number", "one unit that was spent; its score is the time (us)")
            .expires(LONGEST)
            .typically(100, 22)
            .example("{acme}:sliding_limit:export:ann")
            .why("every unit of the last window, for an exact limit; at most 240 bytes and 150 a unit of the limit")
            .declared();

    public static final Service SERVICE = new Service(
            "limits",
            List.of(COUNTER, LOG),
            List.of(RedisLimits.ACQUIRE, RedisLimits.REFUND, RedisLimits.PEEK),
            Set.of("del"));

    private LimitKeys() {}
}
