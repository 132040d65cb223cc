package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.core.RedisUnavailableException;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/** A Redis that stands still longer than a caller waits, and does afterwards what it was asked meanwhile. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
class LostClaimsIT {
    private static final Jobbing.Options ONE_PARTITION = new Jobbing.Options(1, Duration.ofSeconds(1), 1_000);
    private static final Duration LEASE = Duration.ofMinutes(1);

    private final RedisServer redis = RedisServer.start();
    private final PostgresServer postgres = PostgresServer.start();
    private final JobFleet fleet = new JobFleet(redis, postgres.jdbcUrl(), Duration.ofMillis(250));
    private final Jobbing jobbing = fleet.start(ONE_PARTITION);

    @AfterAll
    void close() {
        fleet.close();
        redis.close();
        postgres.close();
    }

    @Test
    void aTaskThatNobodyHeardOfIsThereForTheNextWhoAsks() throws InterruptedException {
        submit("claimed", 1);
        assertThat(jobbing.tasks().claim(wanted("other", Duration.ZERO))).isEmpty();

        redis.pause();
        try {
            assertThatExceptionOfType(RedisUnavailableException.class)
                    .isThrownBy(() -> jobbing.tasks().claim(wanted("claimed", Duration.ZERO)));
        } finally {
            redis.resume();
        }

        assertThat(next("claimed").attempt()).isEqualTo(1);
    }

    @Test
    void anEndingCountsAndWhatWasAskedForOnTheWayIsLeftToTheNext() throws InterruptedException {
        submit("hopped", 2);
        Held first = next("hopped").held();

        redis.pause();
        try {
            assertThatExceptionOfType(RedisUnavailableException.class)
                    .isThrownBy(() -> jobbing.tasks()
                            .end(List.of(new Ending.Completed(first, "1")), wanted("hopped", Duration.ZERO)));
        } finally {
            redis.resume();
        }

        Claimed second = next("hopped");
        assertThat(second.taskId()).isEqualTo("t1");
        assertThat(second.attempt()).isEqualTo(1);
        assertThat(second.results()).containsEntry("t0", "1");
        assertThat(jobbing.tasks()
                        .end(List.of(new Ending.Completed(second.held(), null)), null)
                        .endings())
                .containsExactly(Ended.DONE);
        Eventually.until(
                "it is done", () -> jobbing.jobs().find("hopped").orElseThrow().status() == JobStatus.SUCCEEDED);
    }

    /** A chain of tasks that may be tried but once. */
    private void submit(String queue, int length) {
        var job = JobSpec.named("Chain").id(queue).queue(queue);
        for (int i = 0; i < length; i++) {
            List<String> needs = i == 0 ? List.of() : List.of("t" + (i - 1));
            job.task("t" + i, task -> task.needs(needs).maxRetries(0));
        }
        jobbing.jobs().submit(job.build());
    }

    /** The one task that is ready: asked for until Redis can be reached again, and for far less than a lease. */
    private Claimed next(String queue) {
        List<Claimed> claimed = new ArrayList<>();
        Eventually.until("there is a task of " + queue, () -> claimed.addAll(claimed(queue)));
        return claimed.getFirst();
    }

    private List<Claimed> claimed(String queue) {
        try {
            return jobbing.tasks().claim(wanted(queue, Duration.ZERO));
        } catch (RedisUnavailableException notYet) {
            return List.of();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static Wanted wanted(String queue, Duration patience) {
        return new Wanted("tester", List.of(new Lane(queue, "worker")), 1, LEASE, patience);
    }
}
