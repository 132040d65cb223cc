package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.PostgresArchive.EndedJob;
import dev.hotstate.jobs.RedisControl.Told;
import dev.hotstate.jobs.RedisGraphs.Retired;
import dev.hotstate.jobs.graph.Graph;
import dev.hotstate.jobs.graph.TaskSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * After a job's end is in PostgreSQL: its logs follow, and then its keys in Redis expire after a while. Whoever archived
 * the end does this; what it forgets, because it died or has too much to do, any instance takes up a minute later.
 */
final class Retirement implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Retirement.class);
    private static final EndedJob NOBODY = new EndedJob("", 0, 0, false);
    private static final int REMEMBERED = 10_000;
    private static final int AT_ONCE = 200;
    private static final int TOGETHER = 50;

    /** Forgotten jobs that one call tries to retire and cannot: each costs PostgreSQL some questions. */
    private static final int MOST_IN_VAIN = 2_000;

    /** Work and its archive come first; but no longer than this, nor once many wait, or under load nothing would ever go. */
    private static final Duration LONGEST_WAY = Duration.ofSeconds(5);

    private static final Duration WAY = Duration.ofMillis(50);

    private static final int FORGOTTEN_AT_ONCE = 200;
    private static final int FORGOTTEN_TASKS = 20_000;
    private static final int MOST_PORTIONS = 500;
    private static final Duration LONGEST_END = Duration.ofSeconds(2);

    private final PostgresJobs jobs;
    private final PostgresEnds ends;
    private final Graphs graphs;
    private final RedisGraphs redis;
    private final RedisControl control;
    private final EndedLogs logs;
    private final Duration keep;
    private final BooleanSupplier archiveIsBusy;
    private final BlockingQueue<EndedJob> ended = new LinkedBlockingQueue<>(REMEMBERED);

    /** One of many tasks takes a while, in which others need not wait. */
    private final BlockingQueue<EndedJob> large = new LinkedBlockingQueue<>(REMEMBERED);

    private final List<Thread> threads = List.of(
            Thread.ofVirtual().name("jobs-retirement").unstarted(() -> run(ended, this::retireSmall)),
            Thread.ofVirtual().name("jobs-retirement-large").unstarted(() -> run(large, this::retire)));
    private volatile boolean closed;

    /** How many of the oldest forgotten ones were tried in vain since the first of them was; the next call leaves them out. */
    private int passedOver;

    /**
     * @param keep how long Redis keeps an ended job
     * @param archiveIsBusy whether much waits for PostgreSQL
     */
    Retirement(
            PostgresJobs jobs,
            PostgresEnds ends,
            Graphs graphs,
            RedisGraphs redis,
            RedisControl control,
            EndedLogs logs,
            Duration keep,
            BooleanSupplier archiveIsBusy) {
        this.jobs = jobs;
        this.ends = ends;
        this.graphs = graphs;
        this.redis = redis;
        this.control = control;
        this.logs = logs;
        this.keep = keep;
        this.archiveIsBusy = archiveIsBusy;
    }

    void start() {
        threads.forEach(Thread::start);
    }

    /** Of jobs whose end is archived; those that there is no room for are found later. */
    void add(Collection<EndedJob> jobs) {
        jobs.forEach(ended::offer);
    }

    /**
     * To be called every minute or so: all that there are. Once it has met many that cannot be retired now, as while Redis
     * is away, the next call goes on behind them.
     */
    synchronized void takeUpForgotten() {
        int inVain = 0;
        List<EndedJob> some;
        do {
            some = ends.forgotten(AT_ONCE, passedOver);
            int left = some.size() - retire(some);
            passedOver += left;
            inVain += left;
        } while (some.size() == AT_ONCE && inVain < MOST_IN_VAIN);
        if (some.size() < AT_ONCE) {
            passedOver = 0;
        }
    }

    /** To be called every hour or so: up to 100,000 jobs a call, in portions, so that others are not held up. */
    void forgetBefore(Instant time) {
        int portions = 0;
        while (ends.forget(time, FORGOTTEN_AT_ONCE, FORGOTTEN_TASKS) > 0 && ++portions < MOST_PORTIONS) {
            log.debug("a portion of jobs that ended before {} was forgotten", time);
        }
    }

    @Override
    public void close() {
        closed = true;
        ended.offer(NOBODY);
        large.offer(NOBODY);
        threads.forEach(thread -> {
            try {
                if (thread.isAlive() && !thread.join(LONGEST_END)) {
                    thread.interrupt();
                }
            } catch (InterruptedException hurried) {
                thread.interrupt();
                Thread.currentThread().interrupt();
            }
        });
    }

    private void run(BlockingQueue<EndedJob> queue, Consumer<List<EndedJob>> retiring) {
        try {
            while (!closed) {
                retireSome(queue, queue.take(), retiring);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whatever comes of these, the next ones have their turn. */
    private void retireSome(BlockingQueue<EndedJob> queue, EndedJob first, Consumer<List<EndedJob>> retiring)
            throws InterruptedException {
        List<EndedJob> some = new ArrayList<>(List.of(first));
        try {
            giveWay(queue);
            queue.drainTo(some, AT_ONCE - 1);
            some.remove(NOBODY);
            if (!closed) {
                retiring.accept(some);
            }
        } catch (HotstateException notNow) {
            log.debug("{} ended jobs are retired later: {}", some.size(), notNow.getMessage());
        } catch (RuntimeException | Error broken) {
            log.error("{} ended jobs are left to be found later", some.size(), broken);
        }
    }

    private void giveWay(BlockingQueue<EndedJob> queue) throws InterruptedException {
        for (Duration given = Duration.ZERO;
                given.compareTo(LONGEST_WAY) < 0
                        && !closed
                        && queue.size() < REMEMBERED / 2
                        && archiveIsBusy.getAsBoolean();
                given = given.plus(WAY)) {
            Thread.sleep(WAY);
        }
    }

    private void retireSmall(List<EndedJob> some) {
        List<EndedJob> small = new ArrayList<>(some);
        small.removeIf(job -> isLarge(job) && large.offer(job));
        retire(small);
    }

    private boolean isLarge(EndedJob job) {
        try {
            return graphs.find(job.id(), job.number())
                    .filter(graph -> graph.job().tasks().size() > LoadPieces.TASKS)
                    .isPresent();
        } catch (RuntimeException unknown) {
            // Whoever retires it will say why.
            return true;
        }
    }

    /** How many of them; one that cannot be retired does not keep the others. */
    private int retire(List<EndedJob> some) {
        Set<EndedJob> done = retireTogether(some);
        for (EndedJob job : some) {
            try {
                if (!done.contains(job) && retire(job)) {
                    done.add(job);
                }
            } catch (HotstateException notNow) {
                log.debug("{} is retired later: {}", job.id(), notNow.getMessage());
            } catch (RuntimeException | Error broken) {
                log.error("{} cannot be retired", job.id(), broken);
            }
        }
        return note(done);
    }

    /** Small ones without logs, many in a call; those that it does not get through are left to be seen to by themselves. */
    private Set<EndedJob> retireTogether(List<EndedJob> some) {
        Set<EndedJob> done = new LinkedHashSet<>();
        for (int from = 0; from < some.size(); from += TOGETHER) {
            List<EndedJob> page = some.subList(from, Math.min(from + TOGETHER, some.size()));
            Map<String, List<String>> silent = silent(page);
            if (silent.size() > 1) {
                try {
                    Map<String, Retired> retired = redis.retireAll(silent, keep);
                    page.stream()
                            .filter(job -> !job.logged() && retired.getOrDefault(job.id(), Retired.NOT) != Retired.NOT)
                            .forEach(done::add);
                } catch (RuntimeException notNow) {
                    log.debug("{} jobs are retired one by one: {}", silent.size(), notNow.getMessage());
                }
            }
        }
        return done;
    }

    private Map<String, List<String>> silent(List<EndedJob> some) {
        Map<String, List<String>> silent = new LinkedHashMap<>();
        for (EndedJob job : some) {
            if (!job.logged()) {
                small(job).ifPresent(graph -> silent.put(job.id(), ids(graph)));
            }
        }
        return silent;
    }

    private Optional<Graph> small(EndedJob job) {
        try {
            return graphs.find(job.id(), job.number())
                    .filter(graph -> graph.job().tasks().size() <= LoadPieces.TASKS);
        } catch (RuntimeException unknown) {
            // Whoever retires it by itself will say why.
            return Optional.empty();
        }
    }

    private static List<String> ids(Graph graph) {
        return graph.job().tasks().stream().map(TaskSpec::id).toList();
    }

    private int note(Collection<EndedJob> done) {
        try {
            if (!done.isEmpty()) {
                ends.retired(done);
            }
            return done.size();
        } catch (HotstateException notNow) {
            log.debug("{} ended jobs are retired once more: {}", done.size(), notNow.getMessage());
            return 0;
        }
    }

    private boolean retire(EndedJob job) {
        Optional<Graph> graph = graphs.find(job.id(), job.number());
        if (graph.isEmpty()) {
            return false;
        }
        List<String> all = ids(graph.get());
        if (job.logged()) {
            logs.keep(job.id(), all);
        }
        Retired retired = redis.retire(job.id(), all, keep);
        if (retired == Retired.NOT && stop(job.id())) {
            retired = redis.retire(job.id(), all, keep);
        }
        return retired != Retired.NOT;
    }

    /** What PostgreSQL has the end of does not go on in Redis: its keys would never go. One that runs again does. */
    private boolean stop(String id) {
        Optional<StoredJob> stored = jobs.find(id).filter(StoredJob::hasEnded);
        if (stored.isEmpty() || control.cancel(id, stored.get().epoch()) != Told.DONE) {
            return false;
        }
        log.warn("The job {} has ended, but went on in Redis, and is stopped there", id);
        return true;
    }
}
