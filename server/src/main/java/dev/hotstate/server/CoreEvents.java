package dev.hotstate.server;

import dev.hotstate.core.Events;
import dev.hotstate.server.http.ops.EventSource;
import dev.hotstate.server.http.ops.ServerEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** Core's events as {@code /events} tells them. */
final class CoreEvents implements EventSource {
    private final Events events;

    CoreEvents(Events events) {
        this.events = events;
    }

    @Override
    public Subscription subscribe(Set<String> topics, Optional<String> lastEventId) {
        return new Told(events.subscribe(topics, lastEventId));
    }

    private record Told(dev.hotstate.core.Subscription subscription) implements Subscription {
        @Override
        public Optional<ServerEvent> next(Duration wait) throws InterruptedException {
            return subscription.next(wait).map(event -> new ServerEvent(event.id(), event.name(), event.json()));
        }

        @Override
        public void close() {
            subscription.close();
        }
    }
}
