package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.store.StoreException;
import dev.hotstate.store.StoreUnavailableException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends last attempts that lapsed: as succeeded where their effects are committed, else as failed. One whose transaction is
 * still open is looked at again with the next call, and keeps no other from its end.
 */
final class Lapses {
    private static final Logger log = LoggerFactory.getLogger(Lapses.class);
    private static final int AT_ONCE = 100;

    private final RedisLapsed lapsed;
    private final Effects<?> effects;
    private final Partitions partitions;

    Lapses(RedisLapsed lapsed, Effects<?> effects, Partitions partitions) {
        this.lapsed = lapsed;
        this.effects = effects;
        this.partitions = partitions;
    }

    void settle() {
        for (Partition partition : partitions.all()) {
            try {
                lapsed.waiting(partition, AT_ONCE).forEach(this::settle);
            } catch (StoreUnavailableException nobodyKnows) {
                throw nobodyKnows;
            } catch (HotstateException away) {
                log.debug("what lapsed in {} is settled later: {}", partition, away.getMessage());
            }
        }
    }

    private void settle(Lapsed task) {
        try {
            settleNow(task);
        } catch (StoreUnavailableException nobodyKnows) {
            throw nobodyKnows;
        } catch (StoreException busy) {
            log.info("{} of {} is settled later: {}", task.taskId(), task.jobId(), busy.getMessage());
        }
    }

    private void settleNow(Lapsed task) {
        effects.committed(task.jobId(), task.taskId(), task.epoch())
                .ifPresentOrElse(
                        found -> lapsed.succeeded(task, Optional.ofNullable(found.result())),
                        () -> lapsed.failed(task));
    }
}
