package dev.hotstate.store;

import java.time.Duration;

/** What PostgreSQL answered just now. */
public sealed interface DatabaseHealth {
    /** It answers; the latency is that of a connection from the pool and one query. */
    record Up(Duration latency, String serverVersion) implements DatabaseHealth {}

    /** It answers, but whoever needs a connection waits for one: every one of the pool is in use. */
    record Busy(Up answer, String reason) implements DatabaseHealth {}

    /** It does not; the reason is one sentence. */
    record Down(String reason) implements DatabaseHealth {}
}
