package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Last attempts that lapsed, and what PostgreSQL knows of them. */
@ExtendWith(Testkit.class)
class LapsesIT {
    /** More than two pages. */
    private static final int TASKS = 250;

    private final Database database;
    private final RedisBench bench;
    private final Lapses lapses;

    LapsesIT(PostgresDatabase postgres, RedisServer redis) {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()).withMaxConnections(3));
        database.migrate(List.of(Jobbing.migrations()));
        bench = new RedisBench(redis);
        lapses = new Lapses(bench.lapsed, new PostgresEffects(database), bench.partitions);
    }

    @BeforeEach
    void manyHaveLapsed() {
        database.useHandle(handle -> handle.execute("TRUNCATE jobs_jobs, jobs_effects"));
        new PostgresJobs(database)
                .insert(JobSpec.named("x").id("wide").task("t0", task -> {}).build(), RedisBench.NOON);
        Flow flow = new Flow("wide");
        for (int i = 0; i < TASKS; i++) {
            flow.task("t" + i);
        }
        bench.load(flow);
        List<Ending> unsure = new ArrayList<>();
        for (int i = 0; i < TASKS; i += 50) {
            bench.claim(50).forEach(task -> unsure.add(new Ending.Unsure(task.held(), "it broke", true)));
        }
        assertThat(unsure).hasSize(TASKS);
        bench.tasks.end(unsure, null);
    }

    @AfterEach
    void close() {
        bench.close();
        database.close();
    }

    @Test
    void allAreSettledWithOneCall() {
        database.useHandle(handle -> handle.execute("""
                INSERT INTO jobs_effects (job_id, task_id, epoch, incarnation, count, done, result)
                VALUES ('wide', 't7', 1, 1, 1, true, '7')"""));

        lapses.settle();

        assertThat(bench.lapsed.waiting(bench.partition, 1)).isEmpty();
        assertThat(bench.job("wide").counts())
                .containsEntry(TaskStatus.FAILED, TASKS - 1)
                .containsEntry(TaskStatus.SUCCEEDED, 1);
        assertThat(bench.task("wide", "t7").result()).isEqualTo("7");
    }

    @Test
    void thoseWhoseTransactionIsOpenKeepNoOtherFromItsEnd() {
        String busy = bench.lapsed.waiting(bench.partition, 1).getFirst().taskId();
        database.useTransaction(open -> {
            open.execute("""
                    INSERT INTO jobs_effects (job_id, task_id, epoch, incarnation, count) VALUES ('wide', ?, 1, 1, 1)""", busy);

            // On a thread of its own, or it would be of this transaction.
            CompletableFuture.runAsync(lapses::settle).join();
        });

        assertThat(bench.lapsed.waiting(bench.partition, 5))
                .extracting(Lapsed::taskId)
                .containsExactly(busy);
        assertThat(bench.job("wide").counts()).containsEntry(TaskStatus.FAILED, TASKS - 1);
        lapses.settle();
        assertThat(bench.job("wide").counts()).containsEntry(TaskStatus.FAILED, TASKS);
    }
}
