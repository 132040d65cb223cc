package dev.hotstate.core;

/** Tells the pass for a partition: {@link Incarnations} for everyone, a fixed one while rebuilding. */
@FunctionalInterface
public interface Passes {

    /** @throws RebuildingException while the partition is not known to be whole */
    Pass of(Partition partition);

    /** The same pass whatever the partition; for a rebuild, which has one partition. */
    static Passes always(Pass pass) {
        return partition -> pass;
    }
}
