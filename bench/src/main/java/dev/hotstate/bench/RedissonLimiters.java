package dev.hotstate.bench;

import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import org.redisson.Redisson;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's RRateLimiter: a log of permits, with the client's clock. */
final class RedissonLimiters implements AutoCloseable {
    private final RedissonClient redisson;

    RedissonLimiters(RedisServer server) {
        Config config = new Config();
        config.useSingleServer().setAddress(server.uri());
        this.redisson = Redisson.create(config);
    }

    /** Each of its limiters keeps its own rate in Redis. */
    void setRates(int subjects) {
        for (int i = 0; i < subjects; i++) {
            redisson.getRateLimiter(name(i))
                    .trySetRate(RateType.OVERALL, LimitsBenchmark.NEVER_REACHED, Duration.ofSeconds(1));
        }
    }

    long acquire(int subject) {
        return LimitsBenchmark.allowed(redisson.getRateLimiter(name(subject)).tryAcquire());
    }

    private static String name(int subject) {
        return "redisson:" + LimitsBenchmark.name(subject);
    }

    @Override
    public void close() {
        redisson.shutdown();
    }
}
