package dev.hotstate.server.http.ops;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Keeps the last three events and hands them to whoever listens. */
final class EventsInMemory implements EventSource {
    private static final int KEPT = 3;

    private final List<ServerEvent> kept = new ArrayList<>();
    private int count;
    private boolean failing;
    private int subscribers;

    synchronized void happen(String name, String json) {
        count++;
        kept.add(new ServerEvent(Optional.of(String.valueOf(count)), name, json));
        if (kept.size() > KEPT) {
            kept.removeFirst();
        }
        notifyAll();
    }

    synchronized void fail(boolean now) {
        failing = now;
        notifyAll();
    }

    synchronized int subscribers() {
        return subscribers;
    }

    @Override
    public synchronized Subscription subscribe(Set<String> topics, Optional<String> lastEventId) {
        if (failing) {
            throw new IllegalStateException("Redis is away");
        }
        subscribers++;
        return new One(topics, lastEventId.map(Integer::parseInt).orElse(count));
    }

    private final class One implements Subscription {
        private final Set<String> topics;
        private int seen;

        One(Set<String> topics, int seen) {
            this.topics = topics;
            this.seen = seen;
        }

        @Override
        public Optional<ServerEvent> next(Duration wait) throws InterruptedException {
            synchronized (EventsInMemory.this) {
                if (failing) {
                    throw new IllegalStateException("Redis is away");
                }
                if (seen >= count) {
                    EventsInMemory.this.wait(wait.toMillis());
                }
                if (failing) {
                    throw new IllegalStateException("Redis is away");
                }
                return following();
            }
        }

        private Optional<ServerEvent> following() {
            if (seen < count - kept.size()) {
                seen = count - kept.size();
                return Optional.of(new ServerEvent(Optional.of(String.valueOf(seen)), "reset", "{}"));
            }
            while (seen < count) {
                var event = kept.get(seen - (count - kept.size()));
                seen++;
                if (topics.contains(event.name().substring(0, event.name().indexOf('.')))) {
                    return Optional.of(event);
                }
            }
            return Optional.empty();
        }

        @Override
        public void close() {
            synchronized (EventsInMemory.this) {
                subscribers--;
            }
        }
    }
}
