package dev.hotstate.server.http;

import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.time.Duration;

/** Cuts a client whose headers trickle in: from the request line to the last header they get this long. */
final class SlowHeaders implements Http1ConnectionListener {
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final Watchdog watchdog;
    // A connection has a thread of its own, which ends with it.
    private final ThreadLocal<Watchdog.Guard> waiting = new ThreadLocal<>();

    SlowHeaders(Watchdog watchdog) {
        this.watchdog = watchdog;
    }

    @Override
    public void prologue(ConnectionContext context, HttpPrologue prologue) {
        waiting.set(watchdog.within(LONGEST));
    }

    @Override
    public void headers(ConnectionContext context, Headers headers) {
        waiting.get().close();
        waiting.remove();
    }
}
