package dev.hotstate.audit.scan;

import dev.hotstate.audit.report.Report.NotLookedAt;
import java.util.List;
import java.util.Map;

/**
 * What a scan saw.
 *
 * @param nameBytes the length of all names together
 * @param keysOf by the address of the node that was read
 * @param foreign names outside the schema's prefix
 * @param retagged names that would be declared but for their braces
 * @param slots keys of each slot of a cluster; empty elsewhere
 * @param complete whether all that had to be read was
 * @param batch the size of the last batches, the smallest over nodes
 * @param keysPerSecond names, over all nodes
 * @param unread keys that had to be read and were not
 * @param lost nodes that stopped answering, with the reason
 */
public record Seen(
        List<SeenFamily> families,
        long keys,
        long nameBytes,
        Map<String, Long> keysOf,
        Noted foreign,
        Noted retagged,
        long[] slots,
        boolean complete,
        int batch,
        double keysPerSecond,
        List<NotLookedAt> notLookedAt,
        List<NotLookedAt> unread,
        Map<String, String> lost) {}
