package dev.hotstate.server.drivers;

import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.drivers.DriverChange;
import dev.hotstate.drivers.Status;
import dev.hotstate.server.http.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells whoever watches which drivers have another status: three times a second at most, and at most a hundred at a time;
 * what was more is said to be so.
 */
final class DriverNews implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DriverNews.class);
    private static final int MOST = 100;
    private static final int PERIOD_MS = 330;
    private static final int LONGEST_END_MS = 1_000;

    private final Events events;
    private final Map<String, DriverChange> changed = new LinkedHashMap<>();
    private boolean more;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("drivers-news").unstarted(this::run);

    DriverNews(Events events) {
        this.events = events;
    }

    void start() {
        thread.start();
    }

    synchronized void changed(DriverChange change) {
        if (changed.size() < MOST || changed.containsKey(change.id())) {
            changed.put(change.id(), change);
        } else {
            more = true;
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(LONGEST_END_MS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closed.await(PERIOD_MS, TimeUnit.MILLISECONDS)) {
                taken().ifPresent(this::publish);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Optional<News> taken() {
        if (changed.isEmpty()) {
            return Optional.empty();
        }
        var items = new ArrayList<Item>();
        changed.forEach((id, change) -> items.add(new Item(id, change.status(), change.region())));
        var last = items.getLast();
        var news = new News(last.id, last.status, last.region, items, more);
        changed.clear();
        more = false;
        return Optional.of(news);
    }

    private void publish(News news) {
        try {
            events.publish("drivers", "status", Json.text(news));
        } catch (HotstateException away) {
            LOG.debug("news of drivers are not told: {}", away.getMessage());
        }
    }

    /** @param id of the driver that was the last to change */
    private record News(String id, Status status, String region, List<Item> items, boolean more) {}

    private record Item(String id, Status status, String region) {}
}
