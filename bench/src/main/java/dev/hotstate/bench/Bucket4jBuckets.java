package dev.hotstate.bench;

import dev.hotstate.testkit.RedisServer;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;

/** Bucket4j's buckets in Redis over Lettuce: it reads, computes in the JVM, and writes if nobody wrote meanwhile. */
final class Bucket4jBuckets implements AutoCloseable {
    private final RedisClient client;
    private final ProxyManager<String> buckets;
    private final BucketConfiguration rate = BucketConfiguration.builder()
            .addLimit(limit -> limit.capacity(LimitsBenchmark.NEVER_REACHED)
                    .refillGreedy(LimitsBenchmark.NEVER_REACHED, Duration.ofSeconds(1)))
            .build();

    Bucket4jBuckets(RedisServer server) {
        this.client = RedisClient.create(server.uri());
        this.buckets = Bucket4jLettuce.casBasedBuilder(
                        client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE)))
                .expirationAfterWrite(
                        ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(Duration.ofSeconds(10)))
                .build();
    }

    long acquire(int subject) {
        String key = "bucket4j:" + LimitsBenchmark.name(subject);
        return LimitsBenchmark.allowed(buckets.builder().build(key, () -> rate).tryConsume(1));
    }

    @Override
    public void close() {
        client.close();
    }
}
