package dev.hotstate.monitors;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Bounds the checks of one host that are under way at once, so that one that hangs cannot take every place. */
final class Hosts {
    private final int most;
    private final ConcurrentHashMap<String, Places> hosts = new ConcurrentHashMap<>();

    Hosts(int most) {
        this.most = most;
    }

    /** The places of one host, kept while somebody has or wants one. */
    private static final class Places {
        final Semaphore free;
        volatile int interested;

        Places(int most) {
            this.free = new Semaphore(most);
        }
    }

    /** Waits a little for a place; false when there was none. */
    boolean enter(String host, Duration patience) throws InterruptedException {
        Places places = hosts.compute(host, (name, known) -> {
            Places mine = known == null ? new Places(most) : known;
            mine.interested++;
            return mine;
        });
        boolean entered = false;
        try {
            if (places.interested > 2 * most) {
                // Enough are waiting: each of them holds a place that another host's check could have.
                return false;
            }
            entered = places.free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
            return entered;
        } finally {
            if (!entered) {
                forget(host);
            }
        }
    }

    void leave(String host) {
        Places places = hosts.get(host);
        if (places != null) {
            places.free.release();
        }
        forget(host);
    }

    int known() {
        return hosts.size();
    }

    private void forget(String host) {
        hosts.computeIfPresent(host, (name, places) -> --places.interested == 0 ? null : places);
    }
}
