package dev.hotstate.server.jobs;

import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.JobChange;
import dev.hotstate.jobs.graph.JobStatus;
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
 * Tells the dashboards which jobs have another state: three times a second at most, and at most a hundred at a time; what
 * was more is said to be so.
 */
final class JobNews implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobNews.class);
    private static final int MOST = 100;
    private static final int PERIOD_MS = 330;
    private static final int LONGEST_END_MS = 1_000;

    private final Events events;
    private final Map<String, JobStatus> changed = new LinkedHashMap<>();
    private boolean more;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("jobs-news").unstarted(this::run);

    JobNews(Events events) {
        this.events = events;
    }

    void start() {
        thread.start();
    }

    synchronized void changed(JobChange change) {
        if (changed.size() < MOST || changed.containsKey(change.id())) {
            changed.put(change.id(), change.status());
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
        changed.forEach((id, status) -> items.add(new Item(id, status)));
        var last = items.getLast();
        var news = new News(last.id, last.status, items, more);
        changed.clear();
        more = false;
        return Optional.of(news);
    }

    private void publish(News news) {
        try {
            events.publish("jobs", "changed", Json.text(news));
        } catch (HotstateException away) {
            LOG.debug("news of jobs are not told: {}", away.getMessage());
        }
    }

    /** @param id of the job that was the last to change */
    private record News(String id, JobStatus status, List<Item> items, boolean more) {}

    private record Item(String id, JobStatus status) {}
}
