package dev.hotstate.limits;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.RedisTarget;
import io.lettuce.core.SetArgs;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** All that a subject spends, but for its logs, is in one key: what rules do there to one another. */
abstract class SubjectKeyContract extends LimiterFixture {
    private static final String KEY = "it:limits:{ann}:rate_limit:ann";
    private static final int SLOT = 43;

    SubjectKeyContract(RedisTarget target) {
        super(target);
    }

    @AfterEach
    void theKeyHasALifetime() {
        assertThat(target).everyKeyHasLifetime(key -> false);
    }

    @Test
    void rulesOfOneSubjectShareAKeyAndALogHasItsOwn() {
        hold(
                rule("b", Algorithm.TOKEN_BUCKET, 5),
                rule("f", Algorithm.FIXED_WINDOW, 6),
                rule("l", Algorithm.SLIDING_LOG, 7),
                rule("s", Algorithm.SLIDING_WINDOW, 8));

        Decision decision = limiter.tryAcquire(asking("b", "f", "l", "s"));

        assertThat(decision.verdicts()).extracting(Verdict::remaining).containsExactly(4L, 5L, 6L, 7L);
        assertThat(target.keys()).containsExactlyInAnyOrder(KEY, "it:limits:{ann}:sliding_limit:l:ann");
        assertThat(target.commands().strlen(KEY)).isEqualTo(3 * SLOT);
    }

    @Test
    void rulesComeInAnyOrderAndCompany() {
        hold(
                rule("a", Algorithm.FIXED_WINDOW, 10),
                rule("b", Algorithm.TOKEN_BUCKET, 10),
                rule("c", Algorithm.SLIDING_WINDOW, 10),
                rule("d", Algorithm.FIXED_WINDOW, 10));

        limiter.tryAcquire(asking("c"));
        limiter.tryAcquire(asking("a", "c", "b"));
        limiter.tryAcquire(asking("d", "b", "a", "c"));
        limiter.tryAcquire(asking("c", "d"));

        assertThat(List.of(peek("a"), peek("b"), peek("c"), peek("d")))
                .extracting(Verdict::remaining)
                .containsExactly(8L, 8L, 6L, 8L);
        assertThat(target.commands().strlen(KEY)).isEqualTo(4 * SLOT);
    }

    @Test
    void checksOfSeveralSubjectsMayAlternate() {
        hold(
                rule("a", Algorithm.FIXED_WINDOW, 10),
                rule("b", Algorithm.TOKEN_BUCKET, 20),
                rule("l", Algorithm.SLIDING_LOG, 30),
                rule("c", Algorithm.SLIDING_WINDOW, 40));
        Call call = new Call(
                "ann",
                2,
                List.of(
                        new Check("a", "ann"),
                        new Check("a", "bob"),
                        new Check("l", "ann"),
                        new Check("b", "ann"),
                        new Check("c", "bob"),
                        new Check("c", "ann")));

        limiter.tryAcquire(call);
        Decision second = limiter.tryAcquire(call.costing(1));

        assertThat(second.verdicts()).extracting(Verdict::remaining).containsExactly(7L, 7L, 27L, 17L, 37L, 37L);
        assertThat(second.verdicts())
                .extracting(Verdict::subject)
                .containsExactly("ann", "bob", "ann", "ann", "bob", "ann");
        assertThat(target.keys()).hasSize(3);
        assertThat(target.commands().strlen(KEY)).isEqualTo(3 * SLOT);
    }

    @Test
    void aResetAndARefundOfOneRuleLeaveTheOthersAsTheyWere() {
        hold(
                rule("a", Algorithm.FIXED_WINDOW, 10),
                rule("b", Algorithm.TOKEN_BUCKET, 10),
                rule("c", Algorithm.SLIDING_WINDOW, 10));
        limiter.tryAcquire(asking("a", "b", "c").costing(4));

        limiter.reset("ann", new Check("b", "ann"));
        assertThat(List.of(peek("a"), peek("b"), peek("c")))
                .extracting(Verdict::remaining)
                .containsExactly(6L, 10L, 6L);
        limiter.refund(asking("c").costing(3));
        assertThat(List.of(peek("a"), peek("b"), peek("c")))
                .extracting(Verdict::remaining)
                .containsExactly(6L, 10L, 9L);
        assertThat(limiter.tryAcquire(asking("b", "a")).verdicts())
                .extracting(Verdict::remaining)
                .containsExactly(9L, 5L);
        limiter.reset("ann", new Check("a", "ann"));
        limiter.reset("ann", new Check("b", "ann"));
        limiter.reset("ann", new Check("c", "ann"));
        assertThat(target).isEmpty();
    }

    @Test
    void theKeyLivesAsLongAsItsLongestRule() {
        hold(
                Rule.fixedWindow("hour", 10, Duration.ofHours(1)),
                rule("minute", Algorithm.FIXED_WINDOW, 10),
                rule("b", Algorithm.TOKEN_BUCKET, 10),
                Rule.fixedWindow("day", 10, Duration.ofDays(1)));

        limiter.tryAcquire(asking("minute"));
        assertThat(livesFor()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(61));
        limiter.tryAcquire(asking("b", "hour"));
        assertThat(livesFor()).isBetween(Duration.ofMinutes(50), Duration.ofMinutes(61));
        limiter.tryAcquire(asking("minute", "b"));
        assertThat(livesFor()).isBetween(Duration.ofMinutes(50), Duration.ofMinutes(61));
        limiter.tryAcquire(asking("day"));
        assertThat(livesFor()).isBetween(Duration.ofHours(23), Duration.ofHours(25));
    }

    /** Its first lifetime was for one unit. */
    @Test
    void theKeyOfABucketThatFillsUpLivesUntilItIsEmpty() {
        hold(Rule.tokenBucket("b", 60, MINUTE, 6_000));

        limiter.tryAcquire(asking("b"));
        limiter.tryAcquire(asking("b").costing(5_999));

        assertThat(livesFor()).isGreaterThan(Duration.ofSeconds(5_900));
    }

    @Test
    void slotsWhoseTimeIsOverGoWhenTheirNumberHasDoubled() {
        Rule[] many = IntStream.range(0, 40)
                .mapToObj(i -> Rule.fixedWindow("r" + i, 10, i % 4 == 0 ? Duration.ofHours(1) : MINUTE))
                .toArray(Rule[]::new);
        hold(many);

        for (int i = 0; i < 40; i++) {
            limiter.tryAcquire(asking("r" + i));
            clock.advance(Duration.ofSeconds(50));
        }

        // After each doubling those of an hour are left, and one or two of a minute.
        assertThat(target.commands().strlen(KEY)).isLessThan(16 * SLOT);
        for (int i = 0; i < 40; i += 4) {
            assertThat(peek("r" + i).remaining()).as("r" + i).isEqualTo(9);
        }
    }

    /** Their number is never a power of two. */
    @Test
    void slotsWhoseTimeIsOverGoAlsoWhenThreeComeAtATime() {
        for (int i = 0; i < 60; i += 3) {
            hold(
                    rule("r" + i, Algorithm.FIXED_WINDOW, 10),
                    rule("r" + (i + 1), Algorithm.TOKEN_BUCKET, 10),
                    rule("r" + (i + 2), Algorithm.FIXED_WINDOW, 10));
            limiter.tryAcquire(asking("r" + i, "r" + (i + 1), "r" + (i + 2)));
            clock.advance(MINUTE.plus(MINUTE));
        }

        assertThat(target.commands().strlen(KEY)).isLessThan(9 * SLOT);
    }

    @Test
    void manyRulesThatAllCountAreKept() {
        Rule[] many = IntStream.range(0, 40)
                .mapToObj(i -> rule("a-long-name-" + i, Algorithm.FIXED_WINDOW, 10))
                .toArray(Rule[]::new);
        hold(many);

        for (int from = 0; from < 40; from += 8) {
            limiter.tryAcquire(asking(IntStream.range(from, from + 8)
                    .mapToObj(i -> "a-long-name-" + i)
                    .toArray(String[]::new)));
        }

        assertThat(IntStream.range(0, 40).mapToObj(i -> peek("a-long-name-" + i)))
                .extracting(Verdict::remaining)
                .containsOnly(9L);
    }

    @Test
    void aValueThatNobodyHereWroteCountsAsNothing() {
        hold(rule("a", Algorithm.FIXED_WINDOW, 10), rule("b", Algorithm.TOKEN_BUCKET, 10));
        target.commands().set(KEY, "w 1789000000000000 10 0", SetArgs.Builder.ex(600));

        assertThat(peek("a").remaining()).isEqualTo(10);
        limiter.refund(asking("a"));
        assertThat(limiter.tryAcquire(asking("a", "b")).verdicts())
                .extracting(Verdict::remaining)
                .containsExactly(9L, 9L);
        assertThat(target.commands().strlen(KEY)).isEqualTo(2 * SLOT);
    }

    private static Call asking(String... rules) {
        return Call.of(IntStream.range(0, rules.length)
                .mapToObj(i -> new Check(rules[i], "ann"))
                .toList());
    }

    private Duration livesFor() {
        return Duration.ofMillis(target.commands().pttl(KEY));
    }
}
