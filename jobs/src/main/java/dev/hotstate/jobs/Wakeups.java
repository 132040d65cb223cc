package dev.hotstate.jobs;

import dev.hotstate.core.Events;

/** Tells those who wait for tasks that there are some: in this process at once, elsewhere by an event. */
final class Wakeups implements AutoCloseable {
    private final Events events;

    /** @param events with the topic {@code jobs} */
    Wakeups(Events events) {
        this.events = events;
    }

    @Override
    public void close() {}
}
