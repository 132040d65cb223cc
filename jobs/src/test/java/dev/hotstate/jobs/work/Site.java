package dev.hotstate.jobs.work;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.jobs.JobKeys;
import dev.hotstate.jobs.JobView;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.jobs.Jobs;
import dev.hotstate.jobs.TaskView;
import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.graph.JobBuilder;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.TaskBuilder;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisTarget;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** The whole scheduler on a real Redis and PostgreSQL, for workers to work on. */
final class Site implements AutoCloseable {
    private static final AtomicInteger JOBS = new AtomicInteger();

    final Database database;
    final Tasks tasks;
    final Jobs jobs;
    final Jobbing jobbing;
    private final List<Worker> workers = new ArrayList<>();
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    Site(RedisTarget target, PostgresDatabase postgres) {
        database = opened(Database.open(DatabaseOptions.of(postgres.jdbcUrl()
                .replaceFirst(
                        "^jdbc:postgresql://",
                        "postgres://" + encoded(postgres.user()) + ":" + encoded(postgres.password()) + "@"))));
        database.migrate(List.of(PostgresLedger.migrations(), Jobbing.migrations()));
        Redis redis = opened(Redis.connect(
                RedisOptions.of(target.uri()),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, JobKeys.SERVICE)),
                TestMeters.REGISTRY));
        Events events = opened(new Events(redis, List.of(Jobbing.READY_TOPIC)));
        Incarnations incarnations = opened(
                new Incarnations(redis, new PostgresLedger(database), Incarnations.Options.of("site"), state -> {}));
        jobbing = opened(Jobbing.start(
                new Jobbing.Ground(redis, database, incarnations, events, TestMeters.REGISTRY, InstantSource.system()),
                new Jobbing.Options(2, Duration.ofHours(1), 5_000)));
        tasks = jobbing.tasks();
        jobs = jobbing.jobs();
        Eventually.until("its partitions are ready", incarnations::allReady);
    }

    Worker worker(WorkerOptions options) {
        Worker worker = Worker.of(tasks, options);
        workers.add(worker);
        return worker;
    }

    /** All at once, as each waits for its last look for tasks to end. */
    void closeWorkers() {
        workers.parallelStream().forEach(Worker::close);
        workers.clear();
    }

    /** A job of one task, and its id. */
    String submit(Consumer<TaskBuilder> task) {
        return submit(JobSpec.named("test").task("only", task));
    }

    String submit(JobBuilder job) {
        String id = "job-" + JOBS.incrementAndGet() + "-" + Long.toString(System.nanoTime(), 36);
        jobs.submit(job.id(id).createdBy("tests").build());
        return id;
    }

    JobView awaitEnd(String job) {
        Eventually.until("job " + job + " has ended", () -> job(job).status().isTerminal());
        return job(job);
    }

    JobView job(String job) {
        return jobs.find(job).orElseThrow();
    }

    TaskView only(String job) {
        return jobs.task(job, "only").orElseThrow();
    }

    List<String> logged(String job) {
        return jobs.logs(job, "only", 0, 1_000).orElseThrow().lines().stream()
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .toList();
    }

    private <T extends AutoCloseable> T opened(T part) {
        open.push(part);
        return part;
    }

    @Override
    public void close() {
        closeWorkers();
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception broken) {
                throw new AssertionError(broken);
            }
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
