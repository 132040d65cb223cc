package dev.hotstate.audit.scan;

import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Names;
import java.time.Duration;

/**
 * Reads all names of one node, a batch at a time: while one is looked at here, the node is free for others. Now and then the
 * server is asked how long its batches take, or one is timed by itself, and their size follows.
 */
final class KeyScan {
    private static final long BETWEEN_TIMINGS = Duration.ofMillis(50).toNanos();
    private static final long UNTIMED = -1;

    private final Connection node;
    private final Cursor cursor;
    private final Batch batch;
    private final ScanTime time;
    private long timedAt = System.nanoTime();
    private long ping = UNTIMED;

    /** What is done with names; it may be asked for a stop after each. */
    interface Reader {
        /** @return whether to go on */
        boolean read(Names names);
    }

    KeyScan(Connection node, Duration latency) {
        this.node = node;
        this.cursor = new Cursor(node);
        this.batch = new Batch(latency);
        this.time = new ScanTime(node);
    }

    Cursor cursor() {
        return cursor;
    }

    int batch() {
        return batch.count();
    }

    /** @return whether all names were read */
    boolean run(Reader reader) {
        Names names = new Names();
        boolean goesOn = !cursor.isEnded();
        while (goesOn) {
            if (time.isRefused() && System.nanoTime() - timedAt > BETWEEN_TIMINGS) {
                ping();
            }
            names.clear();
            ask();
            read(names);
            goesOn = reader.read(names) && !cursor.isEnded();
        }
        return cursor.isEnded();
    }

    private void ask() {
        time.follow(batch);
        cursor.put(batch.count());
        node.send();
    }

    /** Tells how long the way there and back is. */
    private void ping() {
        node.call("PING");
        ping = node.sinceSent();
        timedAt = System.nanoTime();
    }

    private void read(Names into) {
        cursor.read(into, batch.count());
        if (ping != UNTIMED) {
            batch.took(ping, node.took());
            ping = UNTIMED;
        }
    }
}
