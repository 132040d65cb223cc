package dev.hotstate.bench;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.Set;
import java.util.concurrent.ExecutionException;

/** Fourteen commands for each request, sent at once and awaited at the end: the usual way to count in Redis. */
final class DocumentPipeline {
    static final Set<String> COMMANDS = Set.of("incr", "decr", "expire", "zadd", "zremrangebyrank", "incrbyfloat");

    private static final long HOUR = 3_600_000;

    private final RedisClusterAsyncCommands<String, String> redis;

    DocumentPipeline(Lettuce lettuce) {
        this.redis = lettuce.async();
    }

    void record(int request) {
        String endpoint = "GET " + TrafficBenchmark.route(request);
        long now = System.nanoTime() / 1_000_000;
        String hour = "ha:requests:hourly:" + now / HOUR * HOUR;
        String second = "ha:requests:speed:" + now / 1_000;
        redis.incr("ha:connections:http:current");
        redis.incr("ha:requests:total");
        redis.incr("ha:requests:accepted");
        redis.incr("ha:requests:endpoint:" + endpoint);
        redis.incr("ha:requests:instance:0");
        redis.incr(hour);
        redis.expire(hour, 86_400);
        redis.incr(second);
        redis.expire(second, 10);
        redis.zadd("ha:response_times:" + endpoint, now, "1.5:" + request);
        redis.zremrangebyrank("ha:response_times:" + endpoint, 0, -1_001);
        redis.incrbyfloat("ha:avg_response:" + endpoint, 1.5);
        redis.incr("ha:response_count:" + endpoint);
        await(redis.decr("ha:connections:http:current"));
    }

    void recordMany(int requests) {
        for (int i = 0; i < requests; i++) {
            record(i);
        }
    }

    private static void await(RedisFuture<?> last) {
        try {
            last.get();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", stopped);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a request was not counted", failed);
        }
    }
}
