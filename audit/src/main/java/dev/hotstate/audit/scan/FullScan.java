package dev.hotstate.audit.scan;

import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Names;
import java.time.Duration;

/** Reads all names of one node in turns with questions about them, over the same connection. */
final class FullScan {
    private static final int TIMED = 32;

    private final Connection node;
    private final Batch batch;

    FullScan(Connection node, Duration latency) {
        this.node = node;
        this.batch = new Batch(latency);
    }

    void run(KeyScan.Reader reader) {
        long cursor = 0;
        long ping = 0;
        int turn = 0;
        do {
            Names names = new Names();
            if (turn++ % TIMED == 0) {
                node.put("PING");
                node.send();
                node.read();
                ping = node.sinceSent();
            }
            node.put("SCAN", Long.toUnsignedString(cursor), "COUNT", Integer.toString(batch.count()));
            node.send();
            cursor = node.readScan(names);
            batch.took(ping, node.sinceSent());
            if (!reader.read(names)) {
                return;
            }
        } while (cursor != 0);
    }
}
