package dev.hotstate.monitors;

import dev.hotstate.monitors.Monitor.Rhythm;
import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class ClaimsIT {
    private static final Rhythm QUICK = new Rhythm(Duration.ofSeconds(1), 0, Duration.ofSeconds(1), 1, 1);

    @Test
    void aClaimWhoseCheckCouldNotBeginComesBackWhenItsLeaseEnds(PostgresDatabase database) {
        try (RedisServer redis = RedisServer.start();
                Target target = new Target();
                Fleet fleet = new Fleet(redis, database)) {
            fleet.start().definitions().create(monitor(target));
            Eventually.until("it is checked", () -> target.asked() > 0);

            String versions = key(redis, "versions");
            redis.commands().rename(versions, versions + ":aside");
            redis.commands().set(versions, "unreadable");
            awaitClaimedInVain(redis);
            redis.commands().rename(versions + ":aside", versions);

            int before = target.asked();
            Eventually.until("it is checked again", () -> target.asked() > before);
        }
    }

    /** Longer than any check of this target takes. */
    private static void awaitClaimedInVain(RedisServer redis) {
        AtomicInteger looks = new AtomicInteger();
        Eventually.until("a claim stays without a check", () -> {
            boolean claimed = redis.keys().stream().anyMatch(key -> key.endsWith(":monitor:fences"));
            return (claimed ? looks.incrementAndGet() : looks.getAndSet(0)) > 100;
        });
    }

    private static String key(RedisServer redis, String name) {
        return redis.keys().stream()
                .filter(key -> key.endsWith(":monitor:" + name))
                .findFirst()
                .orElseThrow();
    }

    private static Monitor monitor(Target target) {
        CheckSpec spec = new CheckSpec(
                CheckType.HTTP, target.url("/claimed"), Duration.ofSeconds(1), List.of(), CheckOptions.DEFAULTS);
        return new Monitor("claimed", "claimed", spec, QUICK, null, List.of(), List.of(), List.of(), null, false);
    }
}
