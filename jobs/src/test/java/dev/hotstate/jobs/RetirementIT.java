package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.PostgresArchive.EndedJob;
import dev.hotstate.jobs.graph.JobBuilder;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of jobs that have ended; Redis has none of them any more. */
@ExtendWith(Testkit.class)
class RetirementIT {
    private final Database database;
    private final RedisBench bench;
    private final PostgresJobs jobs;
    private final PostgresEnds ends;
    private final Retirement retirement;
    private final Map<String, Long> numbers = new HashMap<>();

    RetirementIT(PostgresDatabase postgres, RedisServer redis) {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()).withMaxConnections(3));
        database.migrate(List.of(Jobbing.migrations()));
        bench = new RedisBench(redis);
        jobs = new PostgresJobs(database);
        ends = new PostgresEnds(database);
        retirement = new Retirement(
                jobs,
                ends,
                new Graphs(jobs),
                bench.graphs,
                bench.control,
                new EndedLogs(jobs, new PostgresTasks(database), ends, bench.look),
                Duration.ofHours(1),
                () -> false);
    }

    @BeforeEach
    void empty() {
        database.useHandle(handle -> handle.execute("TRUNCATE jobs_jobs"));
    }

    @AfterEach
    void close() {
        retirement.close();
        bench.close();
        database.close();
    }

    @Test
    void oneThatCannotBeReadKeepsNoOtherFromItsRetirement() {
        for (String id : List.of("unreadable", "large", "later")) {
            submit(id, LoadPieces.TASKS + 1);
        }
        database.useHandle(handle -> {
            handle.execute("UPDATE jobs_jobs SET status = 'SUCCEEDED', finished_at = now()");
            handle.execute("UPDATE jobs_jobs SET document = 'nonsense' WHERE id = 'unreadable'");
        });
        retirement.start();

        retirement.add(List.of(ended("unreadable"), ended("large")));
        Eventually.until("the one beside it is retired", () -> !ends.isUnretired("large"));
        retirement.add(List.of(ended("later")));
        Eventually.until("the next one is retired", () -> !ends.isUnretired("later"));
    }

    @Test
    void howeverManyThatCannotBeRetiredNowKeepNoneAfterThemFromIt() {
        for (int i = 0; i < 200; i++) {
            submit("runs-again-" + i, 1);
            bench.load(new Flow("runs-again-" + i).task("t0").epoch(2));
        }
        submit("later", 1);
        database.useHandle(handle -> handle.execute("UPDATE jobs_jobs SET status = 'SUCCEEDED',"
                + " finished_at = now() - interval '1 hour' + number * interval '1 ms'"));

        retirement.takeUpForgotten();

        assertThat(ends.isUnretired("runs-again-0")).isTrue();
        assertThat(ends.isUnretired("later")).isFalse();
    }

    @Test
    void oneThatRanAgainAndEndedMeanwhileIsNotTakenForRetired() {
        submit("again", 1);
        database.useHandle(
                handle -> handle.execute("UPDATE jobs_jobs SET status = 'FAILED', finished_at = now(), epoch = 2"));

        ends.retired(List.of(new EndedJob("again", numbers.get("again"), 1, false)));
        assertThat(ends.isUnretired("again")).isTrue();
        ends.retired(List.of(new EndedJob("again", numbers.get("again"), 2, false)));

        assertThat(ends.isUnretired("again")).isFalse();
    }

    private void submit(String id, int tasks) {
        JobBuilder job = JobSpec.named("x").id(id);
        for (int i = 0; i < tasks; i++) {
            job.task("t" + i, task -> {});
        }
        numbers.put(id, jobs.insert(job.build(), RedisBench.NOON).job().number());
    }

    private EndedJob ended(String id) {
        return new EndedJob(id, numbers.get(id), 1, false);
    }
}
