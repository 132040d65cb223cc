package dev.hotstate.core;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Removes what an earlier incarnation left of a partition, before it is rebuilt. */
final class Wipe {
    static final Script<Long> WIPE = Script.of(
                    Wipe.class, "wipe", List.of("incarnation", "leftover…"), reply -> reply.number(0))
            .repeatable();

    private static final int BATCH = 500;
    private static final long KEEP_EVERY = Duration.ofSeconds(1).toNanos();
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Redis redis;
    private final Partition partition;
    private final Pass pass;

    Wipe(Redis redis, Partition partition, Pass pass) {
        this.redis = redis;
        this.partition = partition;
        this.pass = pass;
    }

    /**
     * Scans the node that serves the partition and unlinks its keys, those of every feature: a tag has one feature. The
     * scan is O(keys of the node), in steps of a thousand.
     *
     * @param keepRebuild called about once a second, so that a long scan does not cost the rebuild's lease
     */
    long run(Runnable keepRebuild) {
        Key incarnation = CoreKeys.INCARNATION.of(partition);
        RedisClusterAsyncCommands<String, String> node = redis.node(redis.nodeOf(incarnation))
                .orElseThrow(() -> new RedisUnavailableException("no node serves " + partition, null));
        ScanArgs ofPartition =
                ScanArgs.Builder.limit(1000).match(redis.keyspace().prefix() + ":" + partition + ":*");
        long wiped = 0;
        ScanCursor cursor = ScanCursor.INITIAL;
        long kept = System.nanoTime();
        do {
            if (System.nanoTime() - kept > KEEP_EVERY) {
                keepRebuild.run();
                kept = System.nanoTime();
            }
            KeyScanCursor<String> page = await(node.scan(cursor, ofPartition));
            wiped += unlink(incarnation, page.getKeys());
            cursor = page;
        } while (!cursor.isFinished());
        return wiped;
    }

    private long unlink(Key incarnation, List<String> found) {
        long wiped = 0;
        List<Key> leftovers = found.stream()
                .map(redis.keyspace()::keyNamed)
                .filter(key -> !key.equals(incarnation))
                .toList();
        for (int from = 0; from < leftovers.size(); from += BATCH) {
            List<Key> keys = new ArrayList<>(List.of(incarnation));
            keys.addAll(leftovers.subList(from, Math.min(from + BATCH, leftovers.size())));
            wiped += WIPE.run(redis, keys, List.of(pass.toString(), redis.scriptTime()));
        }
        return wiped;
    }

    private static <T> T await(RedisFuture<T> asked) {
        return Waiting.value(asked, PATIENCE)
                .orElseThrow(() -> new RedisUnavailableException("Redis did not answer a SCAN in time", null));
    }
}
