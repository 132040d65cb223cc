package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.PostgresArchive.EndedJob;
import dev.hotstate.jobs.graph.JobBuilder;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What Redis and PostgreSQL do not agree on, and jobs that nothing moves on. */
@ExtendWith(Testkit.class)
class ReconcilerIT {
    private final Database database;
    private final RedisServer server;
    private final RedisBench bench;
    private final PostgresJobs jobs;
    private final PostgresTasks tasks;
    private final Reconciler reconciler;

    ReconcilerIT(RedisServer server, PostgresDatabase postgres) {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()).withMaxConnections(3));
        database.migrate(List.of(Jobbing.migrations()));
        database.useHandle(handle -> handle.execute("TRUNCATE jobs_jobs, jobs_history"));
        this.server = server;
        bench = new RedisBench(server);
        jobs = new PostgresJobs(database);
        tasks = new PostgresTasks(database);
        reconciler = reconciler(ended -> {});
    }

    @AfterEach
    void close() {
        bench.close();
        database.close();
    }

    @Test
    void anEndThatNeverArrivedIsWrittenAsRedisHasItAndOneThatCannotBeKeepsNoOther() {
        submit("broken");
        submit("ended");
        database.useHandle(handle -> handle.execute("UPDATE jobs_jobs SET document = 'nonsense' WHERE id = 'broken'"));
        for (int i = 0; i < 2; i++) {
            bench.claim(2).forEach(task -> bench.succeed(task, "7"));
        }
        assertThat(bench.job("ended").status()).isEqualTo(JobStatus.SUCCEEDED);

        reconciler.look();
        assertThat(jobs.find("ended").orElseThrow().hasEnded())
                .as("it may be on its way")
                .isFalse();
        bench.clock.advance(Duration.ofMinutes(2));
        letGoOfTheArchive();
        reconciler.look();

        assertThat(jobs.find("ended").orElseThrow().status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(tasks.all("ended").get("b"))
                .returns(TaskStatus.SUCCEEDED, StoredTask::status)
                .returns("7", StoredTask::result)
                .returns("worker-1", StoredTask::worker);
        assertThat(jobs.find("broken").orElseThrow().hasEnded()).isFalse();
    }

    @Test
    void whatTheArchiveIsBehindWithIsLeftToIt() {
        submit("waits");
        for (int i = 0; i < 2; i++) {
            bench.succeed(bench.claimOne());
        }
        bench.clock.advance(Duration.ofMinutes(2));

        reconciler.look();
        assertThat(jobs.find("waits").orElseThrow().hasEnded()).isFalse();

        letGoOfTheArchive();
        bench.load(new Flow("later").task("a"));
        reconciler.look();
        assertThat(jobs.find("waits").orElseThrow().hasEnded())
                .as("what still waits is younger than its end")
                .isTrue();
    }

    @Test
    void eachEndIsHandedOnWhateverBecomesOfTheOneBefore() {
        List<String> ids = List.of("a", "b", "c");
        ids.forEach(this::submit);
        for (int i = 0; i < 2; i++) {
            bench.claim(3).forEach(bench::succeed);
        }
        bench.clock.advance(Duration.ofMinutes(2));
        letGoOfTheArchive();
        List<String> handedOn = new ArrayList<>();

        reconciler(ended -> {
                    ended.forEach(job -> handedOn.add(job.id()));
                    if (handedOn.size() == 1) {
                        throw new StackOverflowError("as if there were too much to do");
                    }
                })
                .look();

        assertThat(handedOn).isEqualTo(ids);
    }

    @Test
    void allTasksOfALargeJobAreWrittenWithItsEnd() {
        Flow flow = new Flow("large");
        JobBuilder job = JobSpec.named("large").id("large");
        for (int i = 0; i < 1_001; i++) {
            flow.task("t" + i);
            job.task("t" + i, task -> {});
        }
        submit(job, flow);
        List<Claimed> all = bench.claim(100);
        while (!all.isEmpty()) {
            all.forEach(task -> bench.succeed(task, "7"));
            all = bench.claim(100);
        }
        bench.clock.advance(Duration.ofMinutes(2));
        letGoOfTheArchive();

        reconciler.look();

        assertThat(jobs.find("large").orElseThrow().succeeded()).isEqualTo(1_001);
        assertThat(tasks.all("large")).hasSize(1_001);
    }

    @Test
    void aJobThatNothingMovesOnIsReported() {
        List<String> ids = List.of("held", "ready", "delayed", "waits", "well");
        ids.forEach(this::submit);
        List<Claimed> all = bench.claim(10);
        Claimed delayed = of(all, "delayed");
        bench.end(new Ending.Released(of(all, "ready").held()));
        bench.succeed(of(all, "waits"));
        reconciler.look();
        assertThat(reconciler.stuck()).isEmpty();

        server.commands().zrem(key("jobs:leases"), "held:a", "delayed:a");
        server.commands().del(key("ready:default:worker"));
        server.commands().hset(key("task:delayed:a"), "status", "DELAYED");
        server.commands().hset(key("task:waits:b"), "status", "WAITING");
        String progress = server.commands().hget(key("job:waits"), "progress");
        server.commands().hset(key("job:waits"), "progress", progress.replaceFirst(" 1 0 0 0 ", " 0 0 0 0 "));
        reconciler.look();

        assertThat(delayed.attempt()).isEqualTo(1);
        assertThat(progress).isEqualTo("RUNNING 1 1 1 0 0 1 0 0 0 0 " + bench.clock.millis() + " -");
        assertThat(bench.look.stuck("waits", List.of("a", "b"))).containsExactly("");
        assertThat(reconciler.stuck()).containsExactlyInAnyOrder("held", "ready", "delayed", "waits");
    }

    private Reconciler reconciler(Consumer<List<EndedJob>> onEnd) {
        return new Reconciler(
                jobs,
                new PostgresControl(database),
                new PostgresArchive(database),
                tasks,
                new Graphs(jobs),
                bench.look,
                bench.clock,
                onEnd);
    }

    /** a, and then b; published long ago. */
    private void submit(String id) {
        submit(
                JobSpec.named(id).id(id).task("a", task -> {}).task("b", task -> task.needs("a")),
                new Flow(id).task("a").task("b", "a"));
    }

    private void submit(JobBuilder job, Flow flow) {
        jobs.insert(job.build(), RedisBench.NOON);
        database.useHandle(handle -> handle.execute(
                "UPDATE jobs_jobs SET published = true, look_at = now() - interval '5 min' WHERE id = ?", flow.id));
        bench.load(flow);
    }

    /** As if all of it had been applied, though PostgreSQL has heard of nothing. */
    private void letGoOfTheArchive() {
        bench.archived();
    }

    private String key(String name) {
        return "dev:hotstate:" + bench.partition + ":" + name;
    }

    private static Claimed of(List<Claimed> all, String job) {
        return all.stream().filter(one -> one.jobId().equals(job)).findFirst().orElseThrow();
    }
}
