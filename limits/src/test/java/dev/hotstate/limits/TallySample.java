package dev.hotstate.limits;

import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import java.time.Duration;
import java.util.List;

/** Decisions to count, and how the tests of statistics connect. */
final class TallySample {
    static final Keyspace KEYSPACE = Keyspace.of("it:tally", LimitKeys.SERVICE);

    static final Rule LOGIN = Rule.fixedWindow("login", 5, Duration.ofMinutes(1));
    static final Rule EXPORT = Rule.slidingLog("export", 5, Duration.ofMinutes(1));

    private TallySample() {}

    /** Under a timeout that a busy machine does not reach. */
    static RedisOptions patient(String url) {
        return RedisOptions.of(url).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10));
    }

    /** Fails fast, opens soon, and asks often whether the node is back. */
    static RedisOptions quick(String url) {
        return RedisOptions.of(url)
                .withTimeout(Duration.ofMillis(250), Duration.ofSeconds(1))
                .withBreaker(new RedisOptions.Breaker(5, Duration.ofSeconds(30), Duration.ofMillis(50)));
    }

    static Redis connect(RedisOptions options) {
        return Redis.connect(options, KEYSPACE, TestMeters.REGISTRY);
    }

    static void allow(Tally tally, Rule rule, String subject, int times) {
        note(tally, subject, times, verdict(rule, subject, true, DecidedBy.REDIS, false));
    }

    static void deny(Tally tally, Rule rule, String subject, int times) {
        note(tally, subject, times, verdict(rule, subject, false, DecidedBy.REDIS, false));
    }

    static void denyInShadow(Tally tally, Rule rule, String subject, int times) {
        note(tally, subject, times, verdict(rule.inShadow(), subject, true, DecidedBy.REDIS, true));
    }

    /** As while Redis is away. */
    static void close(Tally tally, Rule rule, String subject, int times) {
        note(tally, subject, times, verdict(rule.onError(OnError.CLOSED), subject, false, DecidedBy.CLOSED, false));
    }

    static Verdict verdict(Rule rule, String subject, boolean allowed, DecidedBy by, boolean shadowDenied) {
        return new Verdict(rule, subject, allowed, 0, Duration.ZERO, Duration.ZERO, by, shadowDenied);
    }

    private static void note(Tally tally, String subject, int times, Verdict verdict) {
        Call call = Call.of(verdict.rule().id(), subject);
        Decision decision =
                verdict.allowed() ? new Decision.Allowed(List.of(verdict)) : new Decision.Denied(List.of(verdict));
        for (int i = 0; i < times; i++) {
            tally.note(call, decision);
        }
    }
}
