package dev.hotstate.core;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A subscriber's own queue. One that does not keep up loses what is queued and gets a reset: memory stays bounded. */
public final class Subscription implements AutoCloseable {
    private static final int QUEUE = 2_000;

    private final Set<String> topics;
    private final Consumer<Subscription> onClose;
    private final Lock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Event> queue = new ArrayDeque<>();
    private @Nullable Deque<Event> held;
    private long lastId;
    private boolean closed;

    /** @param resumes whether events are held back until {@link #resume} has put the missed ones before them */
    Subscription(Set<String> topics, boolean resumes, Consumer<Subscription> onClose) {
        this.topics = Set.copyOf(topics);
        this.held = resumes ? new ArrayDeque<>() : null;
        this.onClose = onClose;
    }

    /** The next event, waiting for it so long at most; empty at once when the subscription is closed. */
    public Optional<Event> next(Duration wait) throws InterruptedException {
        lock.lock();
        try {
            long left = wait.toNanos();
            while (queue.isEmpty() && !closed && left > 0) {
                left = changed.awaitNanos(left);
            }
            return Optional.ofNullable(queue.poll());
        } finally {
            lock.unlock();
        }
    }

    /** Whether more may come: false once this, or the {@link Events} it is of, was closed. */
    public boolean isOpen() {
        return locked(() -> !closed);
    }

    @Override
    public void close() {
        onClose.accept(this);
        locked(() -> {
            closed = true;
            queue.clear();
            changed.signalAll();
            return closed;
        });
    }

    /** Takes an event, unless it is of another topic or was replayed already. */
    void offer(Event event) {
        if (event.isReset() || topics.contains(event.topic())) {
            locked(() -> add(held == null ? queue : held, event));
        }
    }

    /** Takes what was missed since an event, and then what came meanwhile. */
    void resume(long seen, List<Event> missed) {
        locked(() -> {
            List<Event> all = new ArrayList<>(missed);
            if (held != null) {
                all.addAll(held);
            }
            held = null;
            lastId = seen;
            all.forEach(event -> add(queue, event));
            return true;
        });
    }

    private boolean add(Deque<Event> to, Event event) {
        if (closed || !event.isReset() && event.order() <= lastId) {
            return false;
        }
        lastId = event.order();
        if (to.size() == QUEUE) {
            to.clear();
            to.add(Event.reset());
        }
        to.add(event);
        changed.signalAll();
        return true;
    }

    /** Under a lock that a virtual thread can wait for, which it cannot for a monitor before Java 24. */
    private boolean locked(BooleanSupplier action) {
        lock.lock();
        try {
            return action.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }
}
