package dev.hotstate.drivers;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Rebuild;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Brings a region's drivers back after Redis lost them. BUSY, OFFLINE by choice and reservations are as PostgreSQL has
 * them; everybody else is OFFLINE until the next fix.
 */
final class DriverRebuild implements Rebuild {
    private final PostgresDrivers drivers;
    private final RedisTruth truth;

    DriverRebuild(PostgresDrivers drivers, RedisTruth truth) {
        this.drivers = drivers;
        this.truth = truth;
    }

    @Override
    public Page load(Partition partition, Pass pass, @Nullable String cursor) {
        List<StoredDriver> page = drivers.page(partition.tag(), cursor == null ? "" : cursor, RedisRegion.MAX_BATCH);
        if (!page.isEmpty()) {
            truth.revive(partition, pass, page);
        }
        return page.size() < RedisRegion.MAX_BATCH
                ? Page.last(page.size())
                : Page.upTo(page.size(), page.getLast().id());
    }
}
