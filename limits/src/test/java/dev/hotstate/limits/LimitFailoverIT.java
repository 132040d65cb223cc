package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Redis;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A replica that missed the last writes becomes the master: what it did not know of is let through once more. */
class LimitFailoverIT {
    private static final Duration WINDOW = Duration.ofHours(1);
    private static final int LIMIT = 100;
    private static final RuleSource RULES = RuleSource.of(
            Rule.fixedWindow("fixed", LIMIT, WINDOW).onError(OnError.CLOSED),
            Rule.slidingWindow("sliding", LIMIT, WINDOW).onError(OnError.CLOSED),
            Rule.slidingLog("log", LIMIT, WINDOW).onError(OnError.CLOSED),
            Rule.tokenBucket("bucket", LIMIT, Duration.ofDays(30), LIMIT).onError(OnError.CLOSED));
    private static final Call ALL = Call.of(List.of("fixed", "sliding", "log", "bucket").stream()
            .map(rule -> new Check(rule, "ann"))
            .toList());

    @Test
    void aLossyFailoverLetsThroughWhatWasLostAndNoMore() {
        try (RedisCluster cluster = RedisCluster.start();
                Redis redis = LimitBoundsIT.connect(cluster);
                RateLimiter limiter = new RateLimiter(redis, RULES, TestMeters.REGISTRY)) {
            long known = spend(limiter, 60);
            RedisServer master = cluster.masterOf("it:limits:{ann}:rate_limit:ann");
            // WAIT waits for what its own connection has written, and so for all that was written before.
            master.commands().set("it:limits:{ann}:last", "known");
            assertThat(master.commands().waitForReplication(1, 10_000)).isEqualTo(1);
            long[] lost = {0};

            cluster.failOverToLaggingReplica(master, () -> lost[0] = spend(limiter, 25));
            Eventually.until(
                    "Redis decides again",
                    () -> limiter.tryAcquire("fixed", "probe").isAllowed() && spend(limiter, 1) == 1);

            long after = 1 + spend(limiter, 2 * LIMIT);
            assertThat(known).isEqualTo(60);
            assertThat(lost[0]).isEqualTo(25);
            assertThat(after).isEqualTo(LIMIT - known);
            assertThat(known + lost[0] + after).isLessThanOrEqualTo(2 * LIMIT);
        }
    }

    private static long spend(RateLimiter limiter, int times) {
        return IntStream.range(0, times)
                .filter(i -> limiter.tryAcquire(ALL).isAllowed())
                .count();
    }
}
