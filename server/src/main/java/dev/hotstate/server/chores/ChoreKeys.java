package dev.hotstate.server.chores;

import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Service;
import java.util.List;
import java.util.Set;

/** The keys of the server's own chores. */
final class ChoreKeys {
    static final KeyFamily SCHEDULE = KeyFamily.zset("{<partition>}:chore:schedule")
            .id("partition", 8)
            .owner("server")
            .field("<chore>", "when it is due next, or the end of its lease (ms)")
            .kept("one entry for each of the few chores there are")
            .typically(2, 24)
            .example("{s0}:chore:schedule")
            .why("chores run on one instance at a time, and come back when that one dies")
            .declared();

    static final KeyFamily FENCES = KeyFamily.hash("{<partition>}:chore:fences")
            .id("partition", 8)
            .owner("server")
            .field("<chore>", "the fence of the instance that is at it")
            .kept("a field leaves when the chore was done")
            .typically(1, 40)
            .example("{s0}:chore:fences")
            .why("an instance that lost its lease cannot reschedule a chore that another does now")
            .declared();

    static final Service SERVICE = new Service("server", List.of(SCHEDULE, FENCES), List.of(), Set.of());

    private ChoreKeys() {}
}
