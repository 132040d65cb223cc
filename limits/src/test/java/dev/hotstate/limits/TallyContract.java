package dev.hotstate.limits;

import static dev.hotstate.limits.TallySample.EXPORT;
import static dev.hotstate.limits.TallySample.LOGIN;
import static dev.hotstate.limits.TallySample.allow;
import static dev.hotstate.limits.TallySample.deny;
import static dev.hotstate.limits.TallySample.denyInShadow;
import static dev.hotstate.limits.TallySample.verdict;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Lifetime;
import dev.hotstate.core.Redis;
import dev.hotstate.core.TestMeters;
import dev.hotstate.limits.Rates.Point;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the statistics of rate limits tell, on one Redis and on a Cluster alike. */
abstract class TallyContract {
    private static final Instant START = Instant.parse("2026-01-01T12:00:03Z");

    private final RedisTarget target;
    private final SettableClock clock = SettableClock.at(START);
    private Redis redis;
    private Redis otherRedis;
    private Tally here;
    private Tally there;

    TallyContract(RedisTarget target) {
        this.target = target;
    }

    @BeforeEach
    void connect() {
        target.flushAll();
        redis = TallySample.connect(TallySample.patient(target.uri()).withClock(clock));
        otherRedis = TallySample.connect(TallySample.patient(target.uri()).withClock(clock));
        here = new Tally(redis);
        there = new Tally(otherRedis);
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
        redis.close();
        otherRedis.close();
    }

    @Test
    void whatInstancesCountAddsUp() {
        allow(here, LOGIN, "ann", 40);
        deny(here, LOGIN, "ann", 10);
        allow(there, LOGIN, "bob", 60);
        deny(there, LOGIN, "ann", 5);
        here.flush();
        there.flush();
        clock.advance(Rates.STEP);

        assertThat(here.rates().of("login")).last().isEqualTo(new Point(10, 1.5, 0));
        assertThat(there.rates()).isEqualTo(here.rates());
        assertThat(there.top(10)).containsExactly(new TopSubject("login", "ann", "ann", 15));
    }

    @Test
    void secondsOfOneSlotAddUp() {
        for (int second = 0; second < 5; second++) {
            allow(here, LOGIN, "ann", 10);
            here.flush();
            clock.advance(Duration.ofSeconds(1));
        }
        clock.advance(Rates.STEP);

        assertThat(here.rates().of("login")).last().isEqualTo(new Point(5, 0, 0));
    }

    @Test
    void aDeniedCallCountsForTheRuleThatDeniedIt() {
        Call call = new Call("acme", 1, List.of(new Check("login", "ann"), new Check("export", "acme")));
        here.note(
                call,
                new Decision.Denied(List.of(
                        verdict(LOGIN, "ann", true, DecidedBy.REDIS, false),
                        verdict(EXPORT, "acme", false, DecidedBy.LOCAL, false))));
        denyInShadow(here, LOGIN, "ann", 3);
        here.flush();
        clock.advance(Rates.STEP);

        assertThat(here.rates().byRule()).containsOnlyKeys("export", "login");
        assertThat(here.rates().of("login")).last().isEqualTo(new Point(0, 0, 0.3));
        assertThat(here.rates().of("export")).last().isEqualTo(new Point(0, 0.1, 0));
        assertThat(here.top(10)).containsExactly(new TopSubject("export", "acme", "acme", 1));
    }

    @Test
    void aLimiterHasItsDecisionsCounted() {
        Rule two = Rule.fixedWindow("two", 2, Duration.ofMinutes(5));
        try (var limiter = new RateLimiter(redis, RuleSource.of(two), TestMeters.REGISTRY, here)) {
            for (int i = 0; i < 5; i++) {
                limiter.tryAcquire("two", "ann");
            }
        }
        here.flush();
        clock.advance(Rates.STEP);

        assertThat(there.rates().of("two")).last().isEqualTo(new Point(0.2, 0.3, 0));
        assertThat(there.top(1)).containsExactly(new TopSubject("two", "ann", "ann", 3));
    }

    @Test
    void pointsGoFromTheOldestToTheNewestThatIsOver() {
        countOneStepOf(10);
        countOneStepOf(20);
        clock.advance(Rates.STEP);
        countOneStepOf(30);
        allow(here, LOGIN, "ann", 1_000);
        here.flush();

        Rates rates = here.rates();
        assertThat(rates.until()).isEqualTo(Instant.parse("2026-01-01T12:00:40Z"));
        assertThat(rates.of("login")).hasSize(90);
        assertThat(rates.of("login").subList(86, 90))
                .containsExactly(new Point(1, 0, 0), new Point(2, 0, 0), Point.NONE, new Point(3, 0, 0));
        assertThat(rates.of("login").subList(0, 86)).containsOnly(Point.NONE);
    }

    @Test
    void nowIsTheStepUnderWayAndWhatIsMissingToTenSecondsOfTheLastOne() {
        countOneStepOf(100);
        clock.advance(Duration.ofSeconds(2));
        allow(here, LOGIN, "ann", 20);
        deny(here, EXPORT, "bob", 5);
        here.flush();

        assertThat(here.rates().now("login")).isEqualTo(new Point((20 + 50) / 10.0, 0, 0));
        assertThat(here.rates().now("export")).isEqualTo(new Point(0, 0.5, 0));
        assertThat(here.rates().now("nobody")).isEqualTo(Point.NONE);
        clock.advance(Rates.STEP.multipliedBy(2));
        assertThat(here.rates().now("login")).isEqualTo(Point.NONE);
    }

    @Test
    void aRuleThatNobodyAskedHasPointsOfNothing() {
        assertThat(here.rates().byRule()).isEmpty();
        assertThat(here.rates().of("login")).hasSize(90).containsOnly(Point.NONE);
    }

    @Test
    void afterFifteenMinutesAPointIsGone() {
        countOneStepOf(10);
        clock.advance(Rates.STEP.multipliedBy(Rates.POINTS - 1));
        assertThat(here.rates().of("login")).first().isEqualTo(new Point(1, 0, 0));

        clock.advance(Rates.STEP);

        assertThat(here.rates().byRule()).isEmpty();
        assertThat(there.rates().byRule()).isEmpty();
    }

    @Test
    void whatIsOverIsReadOnce() {
        countOneStepOf(10);
        Rates before = here.rates();

        target.flushAll();

        assertThat(here.rates()).isEqualTo(before);
        assertThat(there.rates().byRule()).isEmpty();
    }

    @Test
    void theMostDeniedOfTheLastHourComeFirstAndEqualsByName() {
        deny(here, LOGIN, "cid", 2);
        deny(here, LOGIN, "bob", 7);
        here.flush();
        clock.advance(Duration.ofMinutes(30));
        deny(here, LOGIN, "ann", 7);
        deny(here, EXPORT, "zoe", 7);
        there.flush();
        here.flush();
        clock.advance(Duration.ofMinutes(30));
        deny(there, LOGIN, "cid", 20);
        there.flush();

        assertThat(here.top(1_000))
                .containsExactly(
                        new TopSubject("login", "cid", "cid", 22),
                        new TopSubject("export", "zoe", "zoe", 7),
                        new TopSubject("login", "ann", "ann", 7),
                        new TopSubject("login", "bob", "bob", 7));
        assertThat(there.top(2)).isEqualTo(here.top(1_000).subList(0, 2));

        clock.advance(Duration.ofMinutes(10));
        assertThat(here.top(1)).containsExactly(new TopSubject("login", "cid", "cid", 20));
    }

    @Test
    void aListIsOfOneToAThousand() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> here.top(0))
                .withMessage("limit must be 1 to 1000, not 0");
        assertThatIllegalArgumentException().isThrownBy(() -> here.top(1_001));
    }

    @Test
    void denialsOfAClosedRuleNameNobody() {
        TallySample.close(here, LOGIN, "ann", 10);
        here.flush();
        clock.advance(Rates.STEP);

        assertThat(here.rates().of("login")).last().isEqualTo(new Point(0, 1, 0));
        assertThat(here.top(10)).isEmpty();
    }

    @Test
    void anySubjectComesBackAsItWas() {
        List<String> subjects = List.of(
                "user:1", "{braces}", "a b", "new\nline", "100%", "a+b", "%20", "żółw 🐢", "\u0000", "x".repeat(256));
        subjects.forEach(subject -> deny(here, LOGIN, subject, 1));
        here.flush();

        assertThat(here.top(100)).extracting(TopSubject::subject).containsExactlyInAnyOrderElementsOf(subjects);
        assertThat(here.top(100)).extracting(TopSubject::tag).containsExactlyInAnyOrderElementsOf(subjects);
    }

    @Test
    void whoStandsOutOfAHundredThousandIsFound() {
        List<String> heavy = IntStream.range(0, 10).mapToObj(i -> "heavy-" + i).toList();
        for (int batch = 0; batch < 10; batch++) {
            for (int i = 0; i < 10_000; i++) {
                deny(here, LOGIN, "light-" + batch + "-" + i, 1);
                deny(here, LOGIN, heavy.get(i % 10), 1);
            }
            here.flush();
        }

        assertThat(here.top(10)).extracting(TopSubject::subject).containsExactlyInAnyOrderElementsOf(heavy);
        assertThat(here.top(10)).extracting(TopSubject::denied).allMatch(times -> times > 9_000 && times <= 10_000);
        assertThat(tops().mapToLong(key -> target.commands().zcard(key)))
                .hasSize(1)
                .allMatch(size -> size <= 1_000);
    }

    @Test
    void moreRulesThanAFlushCarriesAreNotCounted() {
        for (int i = 0; i < 1_500; i++) {
            allow(here, Rule.fixedWindow("rule-" + i, 1, Duration.ofSeconds(1)), "ann", 1);
        }
        here.flush();
        clock.advance(Rates.STEP);

        assertThat(here.rates().byRule()).hasSize(1_000);
    }

    @Test
    void everyKeyIsDeclaredAndHasItsLifetime() {
        allow(here, LOGIN, "ann", 1);
        deny(here, LOGIN, "ann", 1);
        here.flush();

        assertThat(target.keys()).hasSize(2).allSatisfy(key -> {
            KeyFamily family = TallySample.KEYSPACE.find(key).orElseThrow();
            assertThat(family.lifetime())
                    .isInstanceOfSatisfying(
                            Lifetime.Expires.class,
                            lifetime -> assertThat(target.commands().pttl(key))
                                    .isBetween(1L, lifetime.ttl().toMillis()));
        });
    }

    @Test
    void nothingIsSentWhenNothingWasCounted() {
        var meters = new SimpleMeterRegistry();
        try (Redis idle = Redis.connect(TallySample.patient(target.uri()), TallySample.KEYSPACE, meters);
                Tally tally = new Tally(idle)) {
            tally.flush();
        }

        assertThat(meters.find("hotstate.script.replies").counters()).isEmpty();
    }

    @Test
    void countsAreSentWithoutBeingAsked() {
        deny(here, LOGIN, "ann", 3);

        Eventually.until(
                "the denials are known elsewhere",
                () -> there.top(1).equals(List.of(new TopSubject("login", "ann", "ann", 3))));
    }

    @Test
    void closingSendsTheRest() {
        deny(here, LOGIN, "ann", 3);

        here.close();

        assertThat(there.top(1)).containsExactly(new TopSubject("login", "ann", "ann", 3));
    }

    @Test
    void countsOfManyThreadsAddUp() {
        Stream<Thread> threads = IntStream.range(0, 8)
                .mapToObj(i -> Thread.ofPlatform().start(() -> {
                    allow(here, LOGIN, "ann", 100_000);
                    deny(here, LOGIN, "ann", 100_000);
                }));
        threads.toList().forEach(TallyContract::join);
        here.flush();
        clock.advance(Rates.STEP);

        assertThat(here.rates().of("login")).last().isEqualTo(new Point(80_000, 80_000, 0));
        assertThat(here.top(1)).containsExactly(new TopSubject("login", "ann", "ann", 800_000));
    }

    private void countOneStepOf(int allowed) {
        allow(here, LOGIN, "ann", allowed);
        here.flush();
        clock.advance(Rates.STEP);
    }

    private Stream<String> tops() {
        return target.keys().stream().filter(key -> key.contains(":top:"));
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
