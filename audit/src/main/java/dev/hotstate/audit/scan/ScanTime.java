package dev.hotstate.audit.scan;

import dev.hotstate.audit.facts.Info;
import dev.hotstate.audit.wire.Connection;
import dev.hotstate.audit.wire.Reply;
import java.util.Map;

/** What SCAN takes by the server's own count, which no busy machine between us and the server makes longer. */
final class ScanTime {
    static final long UNKNOWN = -1;

    private final Connection node;
    private boolean refused;
    private long calls;
    private long micros;

    ScanTime(Connection node) {
        this.node = node;
    }

    /** @return the nanoseconds of a call on average since the last look; {@link #UNKNOWN} where nothing is known */
    long sinceLastLook() {
        if (refused) {
            return UNKNOWN;
        }
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
}
