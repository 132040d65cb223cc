package dev.hotstate.audit.scan;

import dev.hotstate.audit.facts.Info;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Reply;
import java.time.Duration;
import java.util.Map;

/**
 * What SCAN takes by the server's own count, which no busy machine between us and the server makes longer. Asking for it
 * takes the server about as long as a batch, so it is asked for some times a second only.
 */
final class ScanTime {
    static final long UNKNOWN = -1;

    private static final long BETWEEN = Duration.ofMillis(50).toNanos();

    private final Connection node;
    private boolean refused;
    private boolean asked;
    private long askedAt = System.nanoTime() - BETWEEN;
    private long calls;
    private long micros;

    ScanTime(Connection node) {
        this.node = node;
    }

    /** Puts the question into the packet, if it is time to. */
    void ask() {
        asked = !refused && System.nanoTime() - askedAt >= BETWEEN;
        if (asked) {
            askedAt = System.nanoTime();
            node.put("INFO", "commandstats");
        }
    }

    /** @return the nanoseconds of a call on average since the last answer; {@link #UNKNOWN} where nothing is known */
    long read() {
        if (!asked) {
            return UNKNOWN;
        }
        Reply reply = node.read();
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
