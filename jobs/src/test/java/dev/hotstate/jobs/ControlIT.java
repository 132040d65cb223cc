package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.RedisControl.Told;
import dev.hotstate.jobs.StoredJob.Intent;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is decided about a job, in whatever order Redis hears of it. */
@ExtendWith(Testkit.class)
class ControlIT {
    private final Database database;
    private final RedisBench bench;
    private final PostgresJobs jobs;
    private final PostgresControl stored;
    private final Publication publication;
    private final Control control;

    ControlIT(RedisServer redis, PostgresDatabase postgres) {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()).withMaxConnections(3));
        database.migrate(List.of(Jobbing.migrations()));
        bench = new RedisBench(redis);
        jobs = new PostgresJobs(database);
        stored = new PostgresControl(database);
        Graphs graphs = new Graphs(jobs);
        PostgresTasks tasks = new PostgresTasks(database);
        publication = new Publication(graphs, tasks, new PostgresArchive(database), bench.clock);
        control = new Control(
                database,
                stored,
                bench.control,
                publication,
                bench.graphs,
                graphs,
                tasks,
                bench.look,
                new EndedLogs(new PostgresJobs(database), tasks, new PostgresEnds(database), bench.look));
    }

    @BeforeEach
    void aJob() {
        database.useHandle(handle -> handle.execute("TRUNCATE jobs_jobs, jobs_history"));
        jobs.insert(JobSpec.named("x").id("j").task("a", task -> {}).build(), RedisBench.NOON);
    }

    @AfterEach
    void close() {
        bench.close();
        database.close();
    }

    @Test
    void ofTwoWhoDecideAtOnceTheLaterIsObeyedAlsoWhereRedisHearsOfItFirst() {
        publication.again(job(), bench.graphs);
        StoredJob paused = stored.want("j", Intent.PAUSE);
        control.want("j", Intent.NONE);

        control.tell(paused);

        assertThat(bench.job("j").status()).isEqualTo(JobStatus.PENDING);
        assertThat(job()).returns(Intent.NONE, StoredJob::intent).returns(true, StoredJob::told);
    }

    @Test
    void aJobThatIsToBeCancelledHandsOutNothingBeforeRedisHasHeardOfThat() {
        stored.want("j", Intent.CANCEL);

        publication.again(job(), bench.graphs);

        assertThat(bench.claim(5)).isEmpty();
        assertThat(control.tell(job())).isEqualTo(Told.DONE);
        assertThat(bench.job("j").status()).isEqualTo(JobStatus.CANCELLED);
    }

    private StoredJob job() {
        return jobs.find("j").orElseThrow();
    }
}
