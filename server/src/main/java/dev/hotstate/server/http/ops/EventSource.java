package dev.hotstate.server.http.ops;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Where {@code /events} gets its events from. */
public interface EventSource {
    /**
     * @param lastEventId the id of the last event the client saw: it gets what followed, or first a {@code reset} when
     *     that is no longer kept; empty for one that comes anew and gets what follows now
     */
    Subscription subscribe(Set<String> topics, Optional<String> lastEventId);

    /** One client's events, in order. Used by one thread, and closed by any. */
    interface Subscription extends AutoCloseable {
        /** The next event, or empty when none came in that time or it was closed. */
        Optional<ServerEvent> next(Duration wait) throws InterruptedException;

        @Override
        void close();
    }
}
