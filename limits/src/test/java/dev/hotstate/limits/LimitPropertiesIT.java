package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Whatever is asked, refunded and changed, in whatever order and at whatever times: each algorithm answers what its
 * oracle says, to the microsecond, and no stretch of one window ever sees more than its bound.
 */
class LimitPropertiesIT {
    private static final Instant START = Instant.parse("2026-06-01T12:00:00Z");
    // Keys expire by the real clock, which must not come near while a test's clock stands still.
    private static final List<Duration> WINDOWS =
            List.of(Duration.ofMinutes(1), Duration.ofSeconds(97).plusNanos(1000), Duration.ofSeconds(71, 3_000));

    private static RedisServer server;
    private static SettableClock clock;
    private static Redis redis;

    @BeforeContainer
    static void startRedis() {
        server = RedisServer.start();
        clock = SettableClock.at(START);
        redis = Redis.connect(
                RedisOptions.of(server.uri())
                        .withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10))
                        .withClock(clock),
                LimiterFixture.KEYSPACE,
                TestMeters.REGISTRY);
    }

    @AfterContainer
    static void stopRedis() {
        redis.close();
        server.close();
    }

    record Step(Verb verb, int which, long units, double share) {}

    enum Verb {
        ASK,
        ASK_AGAIN_IN_TIME,
        REFUND,
        TIME_PASSES,
        WINDOWS_PASS,
        RULE_CHANGES,
        COUNTERS_ARE_LOST,
        SCRIPTS_ARE_LOST
    }

    /** What was let through, and not refunded. */
    record Passed(long at, long units) {}

    @Provide
    Arbitrary<List<Step>> histories() {
        Arbitrary<Verb> verbs = Arbitraries.frequency(
                Tuple.of(10, Verb.ASK),
                Tuple.of(4, Verb.ASK_AGAIN_IN_TIME),
                Tuple.of(2, Verb.REFUND),
                Tuple.of(6, Verb.TIME_PASSES),
                Tuple.of(1, Verb.WINDOWS_PASS),
                Tuple.of(1, Verb.RULE_CHANGES),
                Tuple.of(1, Verb.COUNTERS_ARE_LOST),
                Tuple.of(1, Verb.SCRIPTS_ARE_LOST));
        return Combinators.combine(
                        verbs,
                        Arbitraries.integers().between(0, 1000),
                        Arbitraries.longs().between(1, 20),
                        Arbitraries.doubles().between(0, 1))
                .as(Step::new)
                .list()
                .ofMinSize(20)
                .ofMaxSize(100);
    }

    @Provide
    Arbitrary<Rule> rules() {
        return Combinators.combine(
                        Arbitraries.of(Algorithm.values()),
                        Arbitraries.longs().between(1, 20),
                        Arbitraries.longs().between(1, 30),
                        Arbitraries.of(WINDOWS))
                .as(LimitPropertiesIT::rule);
    }

    @Property(tries = 400, shrinking = ShrinkingMode.BOUNDED)
    void aCounterDoesWhatItsOracleSaysAndHoldsItsBound(
            @ForAll("rules") Rule first, @ForAll("histories") List<Step> history) {
        server.flushAll();
        clock.set(START);
        Rule[] rule = {first};
        RateLimiter limiter = new RateLimiter(redis, () -> Rules.of(rule), TestMeters.REGISTRY);
        List<Counted> subjects = List.of(new Counted("ann", first), new Counted("bob", first));

        for (Step step : history) {
            Counted subject = subjects.get(step.which() % subjects.size());
            long cost = 1 + step.units() % rule[0].capacity();
            switch (step.verb()) {
                case ASK -> subject.ask(limiter, cost);
                case ASK_AGAIN_IN_TIME -> {
                    long wait = subject.ask(limiter, cost);
                    if (wait > 0) {
                        pass(wait - 1);
                        assertThat(subject.ask(limiter, cost)).isEqualTo(1);
                        pass(1);
                        assertThat(subject.ask(limiter, cost)).isZero();
                    }
                }
                case REFUND -> subject.refund(limiter, step.which());
                case TIME_PASSES -> pass((long) (step.share() * step.share() * micros(rule[0].window())));
                case WINDOWS_PASS -> pass((long) (3 * step.share() * micros(rule[0].window())));
                case RULE_CHANGES -> {
                    rule[0] = changed(rule[0], step);
                    subjects.forEach(each -> each.change(rule[0]));
                }
                case COUNTERS_ARE_LOST -> {
                    server.flushAll();
                    subjects.forEach(each -> each.lose(rule[0]));
                }
                case SCRIPTS_ARE_LOST -> server.commands().scriptFlush();
            }
        }
    }

    @Property(tries = 100, shrinking = ShrinkingMode.BOUNDED)
    void anyMixOfLimitsIsSpentAllOrNothing(
            @ForAll("rules") Rule a,
            @ForAll("rules") Rule b,
            @ForAll("rules") Rule c,
            @ForAll("histories") List<Step> history) {
        server.flushAll();
        clock.set(START);
        List<Rule> rules = List.of(named(a, "a"), named(b, "b"), named(c, "c"));
        List<LimitOracle> oracles = rules.stream().map(LimitOracle::of).toList();
        RateLimiter limiter = new RateLimiter(redis, RuleSource.of(rules.toArray(Rule[]::new)), TestMeters.REGISTRY);
        List<Check> checks =
                rules.stream().map(rule -> new Check(rule.id(), "ann")).toList();
        long most = rules.stream().mapToLong(Rule::capacity).min().orElseThrow();

        for (Step step : history) {
            long cost = 1 + step.units() % most;
            // Some of them, in any order.
            List<Integer> asked = new ArrayList<>(List.of(0, 1, 2));
            Collections.rotate(asked, step.which());
            asked = asked.subList(0, 1 + step.which() / 3 % 3);
            boolean expected = asked.stream().allMatch(i -> oracles.get(i).room(now()) >= cost);
            Map<String, String> before = state();

            checks.forEach(check -> limiter.forget("acme", check));
            Decision decision = limiter.tryAcquire(
                    new Call("acme", cost, asked.stream().map(checks::get).toList()));

            assertThat(decision.isAllowed()).isEqualTo(expected);
            for (int i = 0; i < asked.size(); i++) {
                LimitOracle oracle = oracles.get(asked.get(i));
                assertThat(decision.verdicts().get(i).allowed()).isEqualTo(oracle.room(now()) >= cost);
                if (expected) {
                    oracle.spend(cost, now());
                }
                assertThat(decision.verdicts().get(i).remaining()).isEqualTo(oracle.room(now()));
            }
            if (!expected) {
                assertThat(state()).isEqualTo(before);
            }
            pass((long) (step.share()
                    * step.share()
                    * step.share()
                    * micros(rules.getFirst().window())));
        }
    }

    /** One subject with its oracle and what it got since the rule last changed, or the counters were lost. */
    private static final class Counted {
        private final String name;
        private LimitOracle oracle;
        private final List<Passed> passed = new ArrayList<>();
        private final List<Passed> refundable = new ArrayList<>();

        Counted(String name, Rule rule) {
            this.name = name;
            this.oracle = LimitOracle.of(rule);
        }

        /** Answers how long to wait, in microseconds; zero when it was let through. */
        long ask(RateLimiter limiter, long cost) {
            boolean fits = oracle.room(now()) >= cost;
            long retry = oracle.retry(cost, now());

            limiter.forget(name, new Check("r", name));
            Decision decision = limiter.tryAcquire(Call.of("r", name).costing(cost));

            if (fits) {
                oracle.spend(cost, now());
                passed.add(new Passed(now(), cost));
                refundable.add(new Passed(now(), cost));
            }
            Verdict verdict = decision.verdicts().getFirst();
            assertThat(decision.isAllowed()).isEqualTo(fits);
            assertThat(micros(verdict.retryAfter())).isEqualTo(retry);
            assertThat(verdict.remaining()).isEqualTo(Math.max(0, oracle.room(now())));
            assertThat(micros(verdict.resetAfter())).isEqualTo(oracle.reset(now()));
            assertThat(inSight()).isLessThanOrEqualTo(oracle.bound());
            return retry;
        }

        /** Gives one of its calls back while that still counts, each once. */
        void refund(RateLimiter limiter, int which) {
            List<Passed> recent = refundable.stream()
                    .filter(call -> call.at() > now() - oracle.window())
                    .toList();
            if (recent.isEmpty() || oracle.rule.algorithm() == Algorithm.FIXED_WINDOW && isOfAnEarlierWindow(recent)) {
                return;
            }
            Passed call = recent.get(which % recent.size());
            limiter.refund(Call.of("r", name).costing(call.units()));
            long given = oracle.refund(call.units(), now());
            refundable.remove(call);
            if (oracle.rule.algorithm() == Algorithm.TOKEN_BUCKET) {
                // A bucket forgets who filled it: what comes back counts when it comes back.
                passed.add(new Passed(now(), -given));
            } else {
                passed.remove(call);
            }
            Verdict verdict = limiter.peek(name, new Check("r", name));
            assertThat(verdict.remaining()).isEqualTo(Math.max(0, oracle.room(now())));
            assertThat(micros(verdict.resetAfter())).isEqualTo(oracle.reset(now()));
        }

        private boolean isOfAnEarlierWindow(List<Passed> recent) {
            long inThisWindow = oracle.rule.limit() - oracle.room(now());
            return recent.stream().mapToLong(Passed::units).sum() != inThisWindow;
        }

        void change(Rule to) {
            oracle.change(to);
            passed.clear();
            refundable.clear();
        }

        void lose(Rule rule) {
            oracle = LimitOracle.of(rule);
            passed.clear();
            refundable.clear();
        }

        /** The most that any stretch of one window that ends now has seen. */
        private long inSight() {
            long most = 0;
            long sum = 0;
            for (Passed call : passed.reversed()) {
                if (call.at() > now() - oracle.window()) {
                    sum += call.units();
                    most = Math.max(most, sum);
                }
            }
            return most;
        }
    }

    private static Rule changed(Rule rule, Step step) {
        Algorithm algorithm = rule.algorithm();
        return rule(algorithm, step.units(), 1 + step.which() % 30, WINDOWS.get(step.which() % WINDOWS.size()));
    }

    private static Rule rule(Algorithm algorithm, long limit, long burst, Duration window) {
        return switch (algorithm) {
            case FIXED_WINDOW -> Rule.fixedWindow("r", limit, window);
            case SLIDING_WINDOW -> Rule.slidingWindow("r", limit, window);
            case SLIDING_LOG -> Rule.slidingLog("r", limit, window);
            case TOKEN_BUCKET -> Rule.tokenBucket("r", limit, window, burst);
        };
    }

    private static Rule named(Rule rule, String id) {
        return new Rule(
                id, rule.algorithm(), rule.limit(), rule.window(), rule.burst(), rule.onError(), false, rule.lease());
    }

    private static Map<String, String> state() {
        Map<String, String> values = new TreeMap<>();
        server.keys()
                .forEach(
                        key -> values.put(key, Arrays.toString(server.commands().dump(key))));
        return values;
    }

    private static void pass(long micros) {
        clock.advance(Duration.of(micros, ChronoUnit.MICROS));
    }

    private static long now() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1000;
    }
}
