package dev.hotstate.core;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A subscriber's own queue. One that does not keep up loses what is queued and gets a reset: memory stays bounded. */
public final class Subscription implements AutoCloseable {
    private static final int QUEUE = 2_000;

    private final Set<String> topics;
    private final Consumer<Subscription> onClose;
    private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(QUEUE);
    private long lastId;

    Subscription(Set<String> topics, Consumer<Subscription> onClose) {
        this.topics = Set.copyOf(topics);
        this.onClose = onClose;
    }

    /** The next event, waiting for it so long at most. */
    public Optional<Event> next(Duration wait) throws InterruptedException {
        return Optional.ofNullable(queue.poll(wait.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** Takes an event, unless it is of another topic or was replayed already. */
    synchronized void offer(Event event) {
        boolean reset = event.name().equals(Event.RESET);
        if (!reset && (!topics.contains(event.topic()) || event.order() <= lastId)) {
            return;
        }
        if (!reset) {
            lastId = event.order();
        }
        if (!queue.offer(event)) {
            queue.clear();
            queue.add(Event.reset());
        }
    }

    @Override
    public void close() {
        onClose.accept(this);
    }
}
