package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.jobs.Effects.Committed;
import dev.hotstate.store.StoreException;
import dev.hotstate.store.StoreUnavailableException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends last attempts that lapsed: as succeeded where their effects are committed, else as failed. A page at a time, which
 * PostgreSQL is asked for at once; one whose transaction is still open is passed over, and looked at again with the next
 * call: it keeps no other from its end.
 */
final class Lapses {
    private static final Logger log = LoggerFactory.getLogger(Lapses.class);
    private static final int AT_ONCE = RedisAdvance.MOST;

    private final RedisLapsed lapsed;
    private final PostgresEffects effects;
    private final Partitions partitions;

    Lapses(RedisLapsed lapsed, PostgresEffects effects, Partitions partitions) {
        this.lapsed = lapsed;
        this.effects = effects;
        this.partitions = partitions;
    }

    /** All that there are. */
    void settle() {
        for (Partition partition : partitions.all()) {
            try {
                settle(partition);
            } catch (StoreUnavailableException nobodyKnows) {
                throw nobodyKnows;
            } catch (HotstateException away) {
                log.debug("what lapsed in {} is settled later: {}", partition, away.getMessage());
            }
        }
    }

    private void settle(Partition partition) {
        int passed = 0;
        List<Lapsed> page;
        do {
            page = lapsed.waiting(partition, passed, AT_ONCE);
            Map<Lapsed, Optional<Committed>> known = known(page);
            if (!known.isEmpty()) {
                lapsed.settle(partition, known);
            }
            passed += page.size() - known.size();
        } while (page.size() == AT_ONCE);
    }

    private Map<Lapsed, Optional<Committed>> known(List<Lapsed> page) {
        if (page.isEmpty()) {
            return Map.of();
        }
        try {
            return effects.committed(page);
        } catch (StoreUnavailableException nobodyKnows) {
            throw nobodyKnows;
        } catch (StoreException busy) {
            return oneByOne(page);
        }
    }

    private Map<Lapsed, Optional<Committed>> oneByOne(List<Lapsed> page) {
        Map<Lapsed, Optional<Committed>> known = new LinkedHashMap<>();
        for (Lapsed task : page) {
            try {
                known.putAll(effects.committed(List.of(task)));
            } catch (StoreUnavailableException nobodyKnows) {
                throw nobodyKnows;
            } catch (StoreException busy) {
                log.info("{} of {} is settled later: {}", task.taskId(), task.jobId(), busy.getMessage());
            }
        }
        return known;
    }
}
