package dev.hotstate.bench.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.jobs.JobKeys;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.jobs.Jobs;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.work.Handler;
import dev.hotstate.jobs.work.Worker;
import dev.hotstate.jobs.work.WorkerOptions;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisTarget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** All of jobs in this process, as a server would have it: its archive goes to a PostgreSQL of its own. */
public final class JobSite implements AutoCloseable {
    static final String HANDLER = "work";
    private static final int SUBMITTERS = 16;
    private static final Duration LONGEST = Duration.ofMinutes(3);

    private final Redis redis;
    private final Database database;
    private final Events events;
    private final Incarnations incarnations;
    private final Jobbing jobbing;
    /** Jobs that are not archived as succeeded yet, and a permit each time that the last of them is. */
    private final Set<String> open = ConcurrentHashMap.newKeySet();

    private final Semaphore allArchived = new Semaphore(0);

    public JobSite(RedisTarget target, PostgresDatabase postgres, int partitions) {
        this.redis = Redis.connect(
                RedisOptions.of(target.uri()).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(20)),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, JobKeys.SERVICE)),
                new SimpleMeterRegistry());
        this.database = Database.open(DatabaseOptions.of(url(postgres)));
        database.migrate(List.of(PostgresLedger.migrations(), Jobbing.migrations()));
        this.events = new Events(redis, List.of(Jobbing.READY_TOPIC));
        this.incarnations =
                new Incarnations(redis, new PostgresLedger(database), Incarnations.Options.of("bench"), state -> {});
        var usual = Jobbing.Options.DEFAULTS;
        this.jobbing = Jobbing.start(
                new Jobbing.Ground(
                        redis, database, incarnations, events, new SimpleMeterRegistry(), InstantSource.system()),
                new Jobbing.Options(partitions, usual.keep(), usual.archiveLimit()));
        jobbing.listen(change -> {
            if (change.status() == JobStatus.SUCCEEDED && open.remove(change.id()) && open.isEmpty()) {
                allArchived.release();
            }
        });
    }

    Jobs jobs() {
        return jobbing.jobs();
    }

    /** Submits jobs, many at a time, as many clients would. */
    void submit(List<JobSpec> specs) {
        allArchived.drainPermits();
        specs.forEach(spec -> open.add(spec.id()));
        Semaphore places = new Semaphore(SUBMITTERS);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (JobSpec spec : specs) {
                places.acquireUninterruptibly();
                clients.execute(() -> {
                    try {
                        jobs().submit(spec);
                    } finally {
                        places.release();
                    }
                });
            }
        }
    }

    /**
     * How long it took, from the worker's start.
     *
     * @param ended until Redis had answered the last task's end
     * @param archived until PostgreSQL had the last job's
     */
    record Worked(Duration ended, Duration archived) {}

    /**
     * Works until everything that was submitted has succeeded and PostgreSQL knows it. It returns when all of that is
     * retired too, so that nothing is left to do beside what is measured next.
     */
    Worked workOff(WorkerOptions options, Handler.OfNothing<String> handler) {
        TimedTasks tasks = new TimedTasks(jobbing.tasks());
        Worker worker = Worker.of(tasks, options).handler(HANDLER, String.class, handler);
        long begin = System.nanoTime();
        try (worker) {
            worker.start();
            if (!allArchived.tryAcquire(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException(open.size() + " jobs did not end, such as "
                        + open.stream().findFirst().flatMap(jobs()::find));
            }
            Duration archived = Duration.ofNanos(System.nanoTime() - begin);
            awaitRetired();
            return new Worked(Duration.ofNanos(tasks.lastEnd() - begin), archived);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", hurried);
        }
    }

    private void awaitRetired() throws InterruptedException {
        long deadline = System.nanoTime() + LONGEST.toNanos();
        while (unretired() > 0) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException(unretired() + " jobs were not retired");
            }
            Thread.sleep(10);
        }
    }

    private int unretired() {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT count(*) FROM jobs_jobs WHERE NOT retired AND finished_at IS NOT NULL")
                .mapTo(Integer.class)
                .one());
    }

    @Override
    public void close() {
        jobbing.close();
        incarnations.close();
        events.close();
        database.close();
        redis.close();
    }

    private static String url(PostgresDatabase postgres) {
        return postgres.jdbcUrl()
                .replaceFirst(
                        "^jdbc:postgresql://",
                        "postgres://" + encoded(postgres.user()) + ":" + encoded(postgres.password()) + "@");
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
