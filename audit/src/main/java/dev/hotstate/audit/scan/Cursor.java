package dev.hotstate.audit.scan;

import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Names;
import dev.hotstate.audit.wire.RefusedException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Where SCAN is on one node. */
final class Cursor {
    /** A server that is loading or at a script is asked again, for some five seconds. */
    private static final int TRIES = 20;

    private static final long BETWEEN_TRIES = Duration.ofMillis(250).toNanos();

    private final Connection node;
    private long at;
    private boolean ended;

    Cursor(Connection node) {
        this.node = node;
    }

    /** Goes on where a former scan stopped. */
    void from(long known, boolean over) {
        at = known;
        ended = over;
    }

    long at() {
        return at;
    }

    /** Whether all names were read: both the first cursor and the last are 0. */
    boolean isEnded() {
        return ended;
    }

    /** Puts the question into the packet. */
    void put(int count) {
        node.put("SCAN", Long.toUnsignedString(at), "COUNT", Integer.toString(count));
    }

    /**
     * Reads the answer.
     *
     * @throws RefusedException if the user may not
     */
    void read(Names into, int count) {
        for (int tries = 1; ; tries++) {
            try {
                at = node.readScan(into);
                ended = at == 0;
                return;
            } catch (RefusedException refused) {
                if (!refused.passes() || tries == TRIES) {
                    throw refused;
                }
            }
            LockSupport.parkNanos(BETWEEN_TRIES);
            put(count);
            node.send();
        }
    }
}
