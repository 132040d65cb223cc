package dev.hotstate.audit.scan;

import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Names;
import java.time.Duration;

/**
 * Reads all names of one node. While one batch is looked at here, the next is made there. Now and then the server
 * is asked how long its batches take, or one is timed by itself, and their size follows.
 */
final class KeyScan {
    private static final long BETWEEN_TIMINGS = Duration.ofMillis(50).toNanos();

    /** Timed one by one in the beginning, until the size has settled. */
    private static final int SETTLING = 18;

    private final Connection node;
    private final Batch batch;
    private final ScanTime time;
    private long cursor;
    private boolean begun;

    /** What is done with names; it may be asked for a stop after each. */
    interface Reader {
        /** @return whether to go on */
        boolean read(Names names);
    }

    KeyScan(Connection node, Duration latency) {
        this.node = node;
        this.batch = new Batch(latency);
        this.time = new ScanTime(node);
    }

    /** Goes on where a former scan stopped. */
    KeyScan from(long known) {
        cursor = known;
        begun = known != 0;
        return this;
    }

    long cursor() {
        return cursor;
    }

    int batch() {
        return batch.count();
    }

    /** @return whether all names were read */
    boolean run(Reader reader) {
        Names names = new Names();
        Names next = new Names();
        int timings = 0;
        long timed = System.nanoTime();
        boolean underway = false;
        while (!begun || cursor != 0) {
            begun = true;
            names.clear();
            if (underway) {
                cursor = node.readScan(names);
            } else {
                timed(names);
                timings++;
                timed = System.nanoTime();
            }
            underway = cursor != 0 && timings >= SETTLING && System.nanoTime() - timed < BETWEEN_TIMINGS;
            if (underway) {
                ask();
            }
            if (!reader.read(names)) {
                if (underway) {
                    next.clear();
                    cursorKept(next);
                }
                return cursor == 0;
            }
        }
        return true;
    }

    /** The answer that is on its way is not looked at, so its cursor is not ours either. */
    private void cursorKept(Names unread) {
        long kept = cursor;
        node.readScan(unread);
        cursor = kept;
    }

    private void timed(Names into) {
        long held = time.sinceLastLook();
        if (held != ScanTime.UNKNOWN) {
            batch.held(held);
            ask();
            cursor = node.readScan(into);
            return;
        }
        node.put("PING");
        node.send();
        node.read();
        long ping = node.sinceSent();
        ask();
        cursor = node.readScan(into);
        batch.took(ping, node.sinceSent());
    }

    private void ask() {
        node.put("SCAN", Long.toUnsignedString(cursor), "COUNT", Integer.toString(batch.count()));
        node.send();
    }
}
