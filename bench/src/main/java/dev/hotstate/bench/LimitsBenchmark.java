package dev.hotstate.bench;

import dev.hotstate.core.Redis;
import dev.hotstate.limits.Call;
import dev.hotstate.limits.Check;
import dev.hotstate.limits.RateLimiter;
import dev.hotstate.limits.Rule;
import dev.hotstate.limits.RuleSource;
import dev.hotstate.testkit.RedisServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decisions a second by 64 virtual threads against one Redis: over many subjects, and all on one. Every side has a limit
 * that is never reached, so that each decision is an allowed one, which costs the most.
 */
final class LimitsBenchmark implements Benchmark {
    static final int SUBJECTS = 10_000;
    /** So many in a second: no side ever reaches it. */
    static final long NEVER_REACHED = 1_000_000_000;

    private static final int THREADS = 64;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Metric THROUGHPUT = new Metric("throughput", "decisions/s");
    private static final Metric REDIS_TIME = new Metric("redis_time", "us/decision");
    private static final Metric COMPANY = new Metric("company", "decisions/trip");
    private static final Set<String> SCRIPTS = Set.of("eval", "evalsha");

    private static final RuleSource RULES = RuleSource.of(
            Rule.tokenBucket("bucket", NEVER_REACHED, SECOND, NEVER_REACHED),
            Rule.tokenBucket("leased", NEVER_REACHED, SECOND, NEVER_REACHED).leasing(100_000, SECOND),
            Rule.slidingWindow("minute", NEVER_REACHED, Duration.ofMinutes(1)),
            Rule.fixedWindow("day", NEVER_REACHED, Duration.ofDays(1)));

    @Override
    public String name() {
        return "limits";
    }

    @Override
    public String about() {
        return "rate limit decisions beside Bucket4j and Redisson (goals: 1.7 times the better over many keys, 3 times on"
                + " one, 0.85 of the bare script, three limits for at most twice the cost of one, a million a second"
                + " with leased quota)";
    }

    @Override
    public void run(Run run) {
        RedisServer server = run.redis();
        Redis redis = run.connect(server);
        RateLimiter limiter = run.closedLater(new RateLimiter(redis, RULES, new SimpleMeterRegistry()));
        BareScript bare = new BareScript(run.lettuce(server));
        Bucket4jBuckets bucket4j = run.closedLater(new Bucket4jBuckets(server));
        RedissonLimiters redisson = run.closedLater(new RedissonLimiters(server));
        int subjects = run.quick() ? 100 : SUBJECTS;
        run.say("setting the rates of " + subjects + " Redisson limiters, which it keeps in Redis");
        redisson.setRates(subjects);
        Crowd many = new Crowd(THREADS, subjects);
        Crowd one = new Crowd(THREADS, 1);
        run.compare(List.of(
                subject("bare script, many keys", many, bare::acquire),
                timed("hotstate, many keys", server, many, i -> acquire(limiter, "bucket", i))
                        .against("bare script, many keys", THROUGHPUT),
                subject("bucket4j, many keys", many, bucket4j::acquire).against("hotstate, many keys", THROUGHPUT),
                subject("redisson, many keys", many, redisson::acquire).against("hotstate, many keys", THROUGHPUT),
                subject("bare script, one key", one, bare::acquire),
                subject("hotstate, one key", one, i -> acquire(limiter, "bucket", i))
                        .against("bare script, one key", THROUGHPUT),
                subject("bucket4j, one key", one, bucket4j::acquire).against("hotstate, one key", THROUGHPUT),
                subject("redisson, one key", one, redisson::acquire).against("hotstate, one key", THROUGHPUT),
                timed("hotstate, three limits in one call", server, many, i -> acquireThree(limiter, i))
                        .against("hotstate, many keys", THROUGHPUT)
                        .against("hotstate, many keys", REDIS_TIME),
                timed("hotstate, three subjects in one call", server, many, i -> acquireOfThree(limiter, i))
                        .against("hotstate, many keys", THROUGHPUT)
                        .against("hotstate, many keys", REDIS_TIME),
                subject("hotstate, leased quota on one key", one, i -> acquire(limiter, "leased", i))
                        .against("hotstate, one key", THROUGHPUT)));
    }

    /** What a caller is called; the same on all sides. */
    static String name(int subject) {
        return "user-" + subject;
    }

    private static Subject subject(String name, Crowd crowd, Crowd.Call call) {
        return new Subject(name, length -> Map.of(THROUGHPUT, crowd.callsPerSecond(length, call)));
    }

    /** With the time that a decision holds Redis, all of it in the one script, and how many share a round trip. */
    private static Subject timed(String name, RedisServer server, Crowd crowd, Crowd.Call call) {
        return new Subject(name, length -> {
            CommandTime before = CommandTime.of(server, SCRIPTS);
            long start = System.nanoTime();
            double perSecond = crowd.callsPerSecond(length, call);
            double decisions = perSecond * (System.nanoTime() - start) / 1e9;
            CommandTime spent = CommandTime.of(server, SCRIPTS).minus(before);
            return Map.of(
                    THROUGHPUT, perSecond, REDIS_TIME, spent.micros() / decisions, COMPANY, decisions / spent.calls());
        });
    }

    private static long acquire(RateLimiter limiter, String rule, int subject) {
        return allowed(limiter.tryAcquire(rule, name(subject)).isAllowed());
    }

    private static long acquireThree(RateLimiter limiter, int subject) {
        String name = name(subject);
        Call call = Call.of(List.of(new Check("bucket", name), new Check("minute", name), new Check("day", name)));
        return allowed(limiter.tryAcquire(call).isAllowed());
    }

    /** A limit each of a user, a key of theirs and what it is used for: three counters in three keys. */
    private static long acquireOfThree(RateLimiter limiter, int subject) {
        String name = name(subject);
        Call call = new Call(
                name,
                1,
                List.of(new Check("bucket", name), new Check("minute", "key"), new Check("day", "POST /orders")));
        return allowed(limiter.tryAcquire(call).isAllowed());
    }

    static long allowed(boolean allowed) {
        return allowed ? 1 : 0;
    }
}
