package dev.hotstate.core;

import java.time.Duration;
import java.util.List;

/** Makes a partition ready by the scripts that a rebuild uses, and for long, so that a test need not beat. */
public final class ReadyPartition {
    private static final long HOLD_US = Duration.ofDays(1000).toNanos() / 1000;

    private static final String OWNER = "ours";

    private ReadyPartition() {}

    public static Passes open(Redis redis, Partition partition, long incarnation) {
        List<Key> key = List.of(CoreKeys.INCARNATION.of(partition));
        Incarnations.OPEN.run(redis, key, List.of(Long.toString(incarnation), "1", redis.scriptTime(), OWNER));
        Pass rebuilder = new Pass.Rebuilder(incarnation, 1);
        Reply ready = Incarnations.READY.run(
                redis, key, List.of(rebuilder.toString(), redis.scriptTime(), Long.toString(HOLD_US)));
        if (!ready.word().equals("READY")) {
            throw new IllegalStateException("the partition was not made ready: " + ready.word());
        }
        return Passes.always(new Pass.Ready(incarnation));
    }
}
