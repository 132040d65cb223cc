package dev.hotstate.monitors;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What the listener has still to be told: the newest of each id, until it has heard it without complaint. */
final class News {
    private final Map<String, Definition> untold = new LinkedHashMap<>();
    private final Map<String, Definition> deletions = new LinkedHashMap<>();
    private final Lock telling = new ReentrantLock();
    private Directory.@Nullable Listener listener;

    synchronized void begin(Directory.Listener listener, Collection<Definition> known) {
        if (this.listener != null) {
            throw new IllegalStateException("the directory is followed already");
        }
        this.listener = listener;
        add(known);
        deletions.values().stream()
                .filter(deletion -> !untold.containsKey(deletion.id()))
                .forEach(deletion -> untold.put(deletion.id(), deletion));
        deletions.clear();
    }

    synchronized void add(Collection<Definition> changes) {
        if (listener != null) {
            // At the end, so that they are told in the order of their changes.
            changes.forEach(change -> untold.remove(change.id()));
            changes.forEach(change -> untold.put(change.id(), change));
        } else {
            // Nobody else will know them: whoever deleted them may have stopped before Redis had heard of it.
            changes.stream().filter(Definition::deleted).forEach(change -> deletions.put(change.id(), change));
        }
    }

    /** Returns when everything that was added before has been told, by this thread or another. */
    void tell() {
        telling.lock();
        try {
            var heard = listener();
            List<Definition> batch = take();
            if (heard == null || batch.isEmpty()) {
                return;
            }
            try {
                heard.changed(batch);
            } catch (RuntimeException | Error failed) {
                putBack(batch);
                throw failed;
            }
        } finally {
            telling.unlock();
        }
    }

    private synchronized Directory.@Nullable Listener listener() {
        return listener;
    }

    private synchronized List<Definition> take() {
        var batch = List.copyOf(untold.values());
        untold.clear();
        return batch;
    }

    /** Before what has come meanwhile; of the same id the newer one stays. */
    private synchronized void putBack(List<Definition> batch) {
        var since = new ArrayList<>(untold.values());
        untold.clear();
        batch.forEach(change -> untold.put(change.id(), change));
        add(since);
    }
}
