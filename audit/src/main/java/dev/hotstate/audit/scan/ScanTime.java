package dev.hotstate.audit.scan;

import dev.hotstate.audit.facts.Info;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Reply;
import java.time.Duration;
import java.util.Map;

/**
 * What SCAN takes by the server's own count, which no busy machine between us and the server makes longer. Asking for it
 * takes the server about as long as a batch, so it is asked for by itself, and once a second only where batches stay as they
 * are. How far away the server is, is asked once.
 */
final class ScanTime {
    private static final long UNKNOWN = -1;

    private static final long AT_FIRST = Duration.ofMillis(50).toNanos();
    private static final long AT_LAST = Duration.ofSeconds(1).toNanos();

    /** So many, unless they take long: then the server is far away, and one is enough. */
    private static final int PINGS = 30;

    private static final long PINGING = Duration.ofMillis(20).toNanos();

    private final Connection node;
    private boolean pinged;
    private boolean refused;
    private long between = AT_FIRST;
    private long askedAt = System.nanoTime() - AT_FIRST;
    private long calls;
    private long micros;

    ScanTime(Connection node) {
        this.node = node;
    }

    /** Asks, if it is time to, and lets the batch follow. */
    void follow(Batch batch) {
        if (!pinged) {
            pinged = true;
            batch.shareWith(quickestPing());
        }
        if (refused || System.nanoTime() - askedAt < between) {
            return;
        }
        askedAt = System.nanoTime();
        long held = ask();
        between = held == UNKNOWN || batch.held(held) ? AT_FIRST : Math.min(AT_LAST, between * 2);
    }

    private long quickestPing() {
        long quickest = Long.MAX_VALUE;
        long began = System.nanoTime();
        for (int i = 0; i < PINGS && System.nanoTime() - began < PINGING; i++) {
            node.call("PING");
            quickest = Math.min(quickest, node.sinceSent());
        }
        return quickest;
    }

    /** @return the nanoseconds of a call on average since the last answer; {@link #UNKNOWN} where nothing is known */
    private long ask() {
        Reply reply = node.call("INFO", "commandstats");
        refused = !(reply instanceof Reply.Text);
        Map<String, String> scan = Info.parts(Info.parse(reply).getOrDefault("cmdstat_scan", ""));
        long moreCalls = Info.number(scan, "calls") - calls;
        long moreMicros = Info.number(scan, "usec") - micros;
        boolean first = calls == 0;
        calls += moreCalls;
        micros += moreMicros;
        return first || moreCalls <= 0 || moreMicros < 0 ? UNKNOWN : moreMicros * 1000 / moreCalls;
    }

    boolean isRefused() {
        return refused;
    }
}
