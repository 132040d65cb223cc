package dev.hotstate.server.jobs;

import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.JobView;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.server.http.Json;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the dashboards which jobs have changed: at most twice a second, and at most twenty at a time, since each is looked
 * up; what was more is said to be so.
 */
final class JobNews implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobNews.class);
    private static final int MOST = 20;
    private static final int PERIOD_MS = 500;
    private static final int LONGEST_END_MS = 1_000;

    private final Events events;
    private final Function<String, Optional<JobView>> find;
    private final Set<String> changed = new LinkedHashSet<>();
    private boolean more;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("jobs-news").unstarted(this::run);

    JobNews(Events events, Function<String, Optional<JobView>> find) {
        this.events = events;
        this.find = find;
    }

    void start() {
        thread.start();
    }

    synchronized void changed(Collection<String> jobs) {
        for (String job : jobs) {
            if (changed.size() < MOST) {
                changed.add(job);
            } else {
                more |= !changed.contains(job);
            }
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
                flush();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void flush() {
        List<String> jobs;
        boolean others;
        synchronized (this) {
            jobs = List.copyOf(changed);
            others = more;
            changed.clear();
            more = false;
        }
        try {
            var items = items(jobs);
            if (!items.isEmpty()) {
                var last = items.getLast();
                events.publish("jobs", "changed", Json.text(new News(last.id, last.status, items, others)));
            }
        } catch (HotstateException away) {
            LOG.debug("news of jobs are not told: {}", away.getMessage());
        }
    }

    private List<Item> items(List<String> jobs) {
        var items = new ArrayList<Item>();
        for (String job : jobs) {
            find.apply(job).ifPresent(found -> items.add(new Item(found.id(), found.status())));
        }
        return items;
    }

    /** @param id of the job that changed last */
    private record News(String id, JobStatus status, List<Item> items, boolean more) {}

    private record Item(String id, JobStatus status) {}
}
