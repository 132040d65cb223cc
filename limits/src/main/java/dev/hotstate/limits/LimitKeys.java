package dev.hotstate.limits;

import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Service;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The keys of rate limits: one for each (tag, rule, subject) that was asked for lately, and their statistics. */
public final class LimitKeys {
    /** Two windows of the longest rule, and what rounding adds; a counter's script sets what it needs. */
    private static final Duration LONGEST = Duration.ofDays(2 * 366 + 1);

    /** Fifteen minutes are shown; a slot of them may be written to for ten seconds, and read a little late. */
    static final Duration RATES_KEPT = Duration.ofMinutes(16);
    /** An hour is shown beside the ten minutes under way. */
    static final Duration TOP_KEPT = Duration.ofMinutes(70);

    static final KeyFamily COUNTER = KeyFamily.string("{<tag>}:rate_limit:<subject>")
            .text("tag", Names.MAX_SUBJECT)
            .text("subject", Names.MAX_SUBJECT)
            .owner("limits")
            .field(
                    "w rule start count previous kept",
                    "43 bytes (a letter, 10 of the rule's name, four doubles) of a fixed or sliding window: when it began"
                            + " (us), what was spent in it and in the one before, until when the key is sure to live")
            .field(
                    "b rule last level token kept",
                    "the same of a token bucket: when it was last spent from, how full it is of what was spent, and what"
                            + " one unit fills")
            .expires(LONGEST)
            .typically(1, 43)
            .example("{acme}:rate_limit:user%3A123")
            .why("what a subject has spent, a slot for each rule; at most 240 bytes a subject and 100 for each further"
                    + " rule, whatever the limit")
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

    static final KeyFamily RATE = KeyFamily.hash("{l}:limits:rate:<slot>")
            .id("slot", 12)
            .owner("limits")
            .field("allowed:<rule>", "checks that the rule allowed in these ten seconds")
            .field("denied:<rule>", "checks that it denied")
            .field("shadow_denied:<rule>", "checks that it would have denied were it not in shadow")
            .expires(RATES_KEPT)
            .typically(20, 24)
            .example("{l}:limits:rate:178000000")
            .why("what each rule allowed and denied in ten seconds, over all instances; fifteen minutes are shown")
            .declared();

    static final KeyFamily TOP = KeyFamily.zset("{l}:limits:top:<slot>")
            .id("slot", 12)
            .owner("limits")
            .field("<rule> <tag> <subject>", "URL-encoded; its score is the number of denials in these ten minutes")
            .expires(TOP_KEPT)
            .typically(200, 40)
            .example("{l}:limits:top:2966666")
            .why("who was denied most in ten minutes, over all instances, at most 1,000; an hour is shown")
            .declared();

    public static final Service SERVICE = new Service(
            "limits",
            List.of(COUNTER, LOG, RATE, TOP),
            List.of(RedisLimits.ACQUIRE, RedisLimits.REFUND, RedisLimits.PEEK, RedisTally.TALLY, RedisTally.SLOT),
            Set.of("del", "hgetall", "zrange"));

    private LimitKeys() {}
}
