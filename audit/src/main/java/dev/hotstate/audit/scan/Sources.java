package dev.hotstate.audit.scan;

import dev.hotstate.audit.report.Report.NotLookedAt;
import dev.hotstate.audit.wire.Connection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a keyspace is read.
 *
 * @param parts one for each part of it
 * @param unread parts that nobody answers for
 */
public record Sources(List<Source> parts, List<NotLookedAt> unread) {

    /**
     * A part of the keyspace.
     *
     * @param node whom it is read from
     * @param instead whom it is read from, from the beginning, if that one falls silent; null: nobody
     */
    public record Source(Connection node, @Nullable Connection instead) {}

    public Sources {
        parts = List.copyOf(parts);
        unread = List.copyOf(unread);
    }

    /** How keys that were not read are told of. */
    public static NotLookedAt unread(String address, String why) {
        return new NotLookedAt("keys of " + address, why);
    }
}
