package dev.hotstate.jobs;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import java.util.List;
import java.util.Optional;

/** Ends last attempts that lapsed: as succeeded where their effects are committed, else as failed. */
final class Lapses {
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
            List<Lapsed> waiting = lapsed.waiting(partition, AT_ONCE);
            waiting.forEach(this::settle);
        }
    }

    private void settle(Lapsed task) {
        effects.committed(task.jobId(), task.taskId(), task.epoch())
                .ifPresentOrElse(
                        found -> lapsed.succeeded(task, Optional.ofNullable(found.result())),
                        () -> lapsed.failed(task));
    }
}
