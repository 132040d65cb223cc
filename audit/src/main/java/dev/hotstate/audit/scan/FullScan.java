package dev.hotstate.audit.scan;

import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Names;
import java.time.Duration;

/** Reads all names of one node in turns with questions about them, over the same connection. */
final class FullScan {
    private static final int TIMED = 8;

    private final Connection node;
    private final Batch batch;
    private final ScanTime time;

    FullScan(Connection node, Duration latency) {
        this.node = node;
        this.batch = new Batch(latency);
        this.time = new ScanTime(node);
    }

    void run(KeyScan.Reader reader) {
        long cursor = 0;
        int turn = 0;
        do {
            Names names = new Names();
            long held = turn++ % TIMED == 0 ? time.sinceLastLook() : ScanTime.UNKNOWN;
            if (held != ScanTime.UNKNOWN) {
                batch.held(held);
            }
            node.put("SCAN", Long.toUnsignedString(cursor), "COUNT", Integer.toString(batch.count()));
            node.send();
            cursor = node.readScan(names);
            if (!reader.read(names)) {
                return;
            }
        } while (cursor != 0);
    }
}
