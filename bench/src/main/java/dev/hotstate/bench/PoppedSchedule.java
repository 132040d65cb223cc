package dev.hotstate.bench;

import dev.hotstate.core.Partition;
import io.lettuce.core.ScoredValue;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The schedule without leases: what is taken is gone from Redis until it is put back, and for ever if its worker dies. */
final class PoppedSchedule {
    private static final int FILL_BATCH = 500;

    private final RedisClusterCommands<String, String> redis;
    private final String key;
    private final int entries;
    private final SplittableRandom random = new SplittableRandom(AgendaBenchmark.SEED);

    PoppedSchedule(Lettuce lettuce, Partition partition, int entries) {
        this.redis = lettuce.sync();
        this.key = BenchKeys.KEYSPACE.wholeName(BenchKeys.POPPED.of(partition));
        this.entries = entries;
    }

    void fill() {
        List<ScoredValue<String>> batch = new ArrayList<>();
        for (int i = 0; i < entries; i++) {
            batch.add(ScoredValue.just(random.nextInt(entries), "entry-" + i));
            if (batch.size() == FILL_BATCH || i == entries - 1) {
                add(batch);
                batch.clear();
            }
        }
    }

    /** Takes the first hundred and puts each back later, anywhere among the others. */
    void cycle() {
        List<ScoredValue<String>> popped = redis.zpopmin(key, AgendaBenchmark.BATCH);
        List<ScoredValue<String>> again = new ArrayList<>(popped.size());
        for (ScoredValue<String> entry : popped) {
            again.add(ScoredValue.just(entry.getScore() + 1 + random.nextInt(entries), entry.getValue()));
        }
        if (add(again) != AgendaBenchmark.BATCH) {
            throw new IllegalStateException("popped " + popped.size() + " of " + entries);
        }
    }

    /** @return how many were not there before */
    @SuppressWarnings({"unchecked", "rawtypes"}) // Lettuce takes an array of a generic type
    private long add(List<ScoredValue<String>> batch) {
        return redis.zadd(key, batch.toArray(new ScoredValue[0]));
    }
}
