package dev.hotstate.drivers;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Rebuild;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Brings a region's drivers back after Redis lost them. BUSY, OFFLINE by choice and reservations are as PostgreSQL has
 * them; everybody else is OFFLINE until the next fix.
 */
final class DriverRebuild implements Rebuild {
    private final PostgresDrivers drivers;
    private final RedisTruth truth;
    private final Map<Partition, Long> ended = new ConcurrentHashMap<>();

    DriverRebuild(PostgresDrivers drivers, RedisTruth truth) {
        this.drivers = drivers;
        this.truth = truth;
    }

    /** The regions that this instance has brought back so long ago, each once. */
    List<Partition> ended(Duration ago) {
        List<Partition> due = ended.entrySet().stream()
                .filter(entry -> System.nanoTime() - entry.getValue() >= ago.toNanos())
                .map(Map.Entry::getKey)
                .toList();
        due.forEach(ended::remove);
        return due;
    }

    @Override
    public Page load(Partition partition, Pass pass, @Nullable String cursor) {
        List<StoredDriver> page = drivers.page(partition.tag(), cursor == null ? "" : cursor, RedisRegion.MAX_BATCH);
        if (!page.isEmpty()) {
            truth.revive(partition, pass, page);
        }
        if (page.size() == RedisRegion.MAX_BATCH) {
            return Page.upTo(page.size(), page.getLast().id());
        }
        ended.put(partition, System.nanoTime());
        return Page.last(page.size());
    }
}
