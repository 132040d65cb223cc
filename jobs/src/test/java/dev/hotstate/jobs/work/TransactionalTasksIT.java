package dev.hotstate.jobs.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.jobs.Claimed;
import dev.hotstate.jobs.Effects;
import dev.hotstate.jobs.Ended;
import dev.hotstate.jobs.Ending;
import dev.hotstate.jobs.Lane;
import dev.hotstate.jobs.Wanted;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Writes and completion of a task in one transaction, on the whole scheduler. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TransactionalTasksIT {
    private static final WorkerOptions QUICK = WorkerOptions.named("worker-1").withLease(Duration.ofSeconds(1));

    private final Site site;
    private final Effects<Connection> effects;

    TransactionalTasksIT(RedisServer redis, PostgresDatabase postgres) {
        site = new Site(redis, postgres);
        effects = site.jobbing.effects();
        site.database.useHandle(handle -> handle.execute("CREATE TABLE charges (job text, worker text)"));
    }

    @AfterEach
    void closeWorkers() {
        site.closeWorkers();
    }

    @AfterAll
    void close() {
        site.close();
    }

    @Test
    void aHandlerWritesAndCompletesAtOnce() {
        work("charge");
        String job = site.submit(task -> task.handler("charge"));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("\"receipt\"");
        assertThat(charges(job)).containsExactly("worker-1");
    }

    @Test
    void aJobSubmittedInATransactionBeginsWithItsCommitAndNeverIfItIsRolledBack() {
        Set<String> begun = ConcurrentHashMap.newKeySet();
        site.worker(QUICK)
                .handler("note", String.class, context -> {
                    begun.add(context.jobId());
                    return null;
                })
                .start();
        AtomicReference<String> kept = new AtomicReference<>();
        AtomicReference<String> dropped = new AtomicReference<>();

        assertThatThrownBy(() -> site.database.useTransaction(handle -> {
                    dropped.set(site.submit(task -> task.handler("note")));
                    throw new IllegalStateException("taken back");
                }))
                .hasMessage("taken back");
        site.database.useTransaction(handle -> {
            kept.set(site.submit(task -> task.handler("note")));
            CompletableFuture.supplyAsync(() -> site.awaitEnd(site.submit(task -> task.handler("note"))))
                    .join();
            assertThat(begun).hasSize(1).doesNotContain(kept.get());
        });

        assertThat(site.awaitEnd(kept.get()).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(begun).hasSize(2).doesNotContain(dropped.get());
        assertThat(site.jobs.find(dropped.get())).isEmpty();
    }

    @Test
    void whatIsDecidedInATransactionThatIsRolledBackWasNotDecided() {
        String job = site.submit(task -> task.handler("nobody-s"));

        assertThatThrownBy(() -> site.database.useTransaction(handle -> {
                    site.jobs.cancel(job);
                    throw new IllegalStateException("taken back");
                }))
                .hasMessage("taken back");
        assertThat(site.job(job).status()).isEqualTo(JobStatus.PENDING);

        site.database.useTransaction(handle -> site.jobs.cancel(job));
        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.CANCELLED);
    }

    @Test
    void anAttemptAfterACrashBetweenCommitAndCompletionFindsItDone() throws Exception {
        String job = site.submit(task -> task.handler("crashed").maxRetries(3).backoff(Duration.ofMillis(10)));
        Claimed dead = claimed("crashed");
        commit(dead);

        AtomicInteger handled = work("crashed");

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(handled).hasValue(1);
        assertThat(site.only(job).result()).isEqualTo("\"receipt\"");
        assertThat(charges(job)).containsExactly("dead");
        assertThat(end(dead)).isEqualTo(Ended.STALE);
    }

    @Test
    void aLastAttemptThatCommittedAndDiedHasSucceeded() throws Exception {
        String job = site.submit(task -> task.handler("last"));
        commit(claimed("last"));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("\"receipt\"");
        assertThat(charges(job)).containsExactly("dead");
    }

    @Test
    void aLastAttemptThatDiedBeforeItsCommitHasFailedForGood() throws Exception {
        String job = site.submit(task -> task.handler("never"));
        Claimed dead = claimed("never");

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.FAILED);
        assertThat(end(dead)).isEqualTo(Ended.STALE);
        assertThatThrownBy(() -> commit(dead)).hasMessageContaining("may not write");
        assertThat(charges(job)).isEmpty();
    }

    @Test
    void aTransactionThatStaysOpenKeepsNoOtherFromItsEnd() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        String stuck = site.submit(task -> task.handler("stuck"));
        Claimed slow = claimed("stuck");
        Thread open = Thread.ofVirtual()
                .start(() -> effects.<RuntimeException>once(slow, () -> true, connection -> {
                    writing.countDown();
                    await(goOn);
                    return "\"receipt\"";
                }));
        assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();
        Eventually.until("it has lapsed", () -> site.only(stuck).error() != null);

        List<String> others = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            others.add(site.submit(task -> task.handler("dies")));
            claimed("dies");
        }

        others.forEach(job -> assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.FAILED));
        assertThat(site.job(stuck).status()).isEqualTo(JobStatus.RUNNING);
        goOn.countDown();
        open.join();
        assertThat(site.awaitEnd(stuck).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aLastAttemptWhoseCommitWasNotAnsweredHasSucceeded() {
        site.worker(QUICK)
                .handler(
                        "unanswered",
                        String.class,
                        context -> context.transactionally(
                                new Unanswered(effects),
                                String.class,
                                connection -> insert(context.jobId(), "me", connection)))
                .start();
        String job = site.submit(task -> task.handler("unanswered"));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("\"receipt\"");
        assertThat(charges(job)).containsExactly("me");
    }

    @Test
    void aLastAttemptThatFailsAfterAnEarlierOneCommittedHasSucceeded() throws Exception {
        String job = site.submit(task -> task.handler("throws").maxRetries(1).backoff(Duration.ofMillis(10)));
        commit(claimed("throws"));
        site.worker(QUICK)
                .handler("throws", String.class, context -> {
                    throw new IllegalStateException("before it writes");
                })
                .start();

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("\"receipt\"");
    }

    @Test
    void aTaskWhoseFirstAttemptCommittedAndWasHandedBackHasSucceededThoughTheNextFails() throws Exception {
        String job = site.submit(task -> task.handler("again"));
        Claimed handedBack = claimed("again");
        commit(handedBack);
        site.tasks.end(List.of(new Ending.Released(handedBack.held())), null);
        site.worker(QUICK)
                .handler("again", String.class, context -> {
                    throw new IllegalStateException("attempt " + context.attempt() + ", before it writes");
                })
                .start();

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).error()).contains("attempt 1, before it writes");
        assertThat(site.only(job).result()).isEqualTo("\"receipt\"");
    }

    @Test
    void aLastAttemptThatWritesAndFailsHasFailedWithItsError() {
        site.worker(QUICK)
                .handler(
                        "broke",
                        String.class,
                        context -> context.transactionally(effects, String.class, connection -> {
                            insert(context.jobId(), "me", connection);
                            throw new IllegalStateException("no credit");
                        }))
                .start();
        String job = site.submit(task -> task.handler("broke"));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.FAILED);
        assertThat(site.only(job).error()).contains("no credit");
        assertThat(charges(job)).isEmpty();
    }

    /** What it does is done, but the answer does not come. */
    private record Unanswered(Effects<Connection> real) implements Effects<Connection> {
        @Override
        public <X extends Exception> Committed once(Claimed task, BooleanSupplier stillHeld, Work<Connection, X> work)
                throws X {
            real.once(task, stillHeld, work);
            throw new IllegalStateException("the connection broke");
        }

        @Override
        public Optional<Committed> committed(String job, String task, int epoch) {
            return real.committed(job, task, epoch);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException hurried) {
            throw new IllegalStateException(hurried);
        }
    }

    @Test
    void whatWasCommittedHasSucceededWhateverTheHandlerDoesNext() {
        site.worker(QUICK)
                .handler("late", String.class, context -> {
                    context.transactionally(
                            effects, String.class, connection -> insert(context.jobId(), "me", connection));
                    throw new IllegalStateException("too late");
                })
                .start();
        String job = site.submit(task -> task.handler("late").maxRetries(3));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("\"receipt\"");
        assertThat(charges(job)).containsExactly("me");
    }

    @Test
    void aJobThatIsCancelledWhileItsTaskWritesKeepsNothingOfIt() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(1);
        site.worker(QUICK)
                .handler("writes", String.class, context -> {
                    try {
                        return context.transactionally(effects, String.class, connection -> {
                            String receipt = insert(context.jobId(), "me", connection);
                            writing.countDown();
                            awaitStop(context);
                            return receipt;
                        });
                    } finally {
                        ended.countDown();
                    }
                })
                .start();
        String job = site.submit(task -> task.handler("writes"));
        assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();

        site.jobs.cancel(job);

        assertThat(ended.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(charges(job)).isEmpty();
        assertThat(site.job(job).status()).isEqualTo(JobStatus.CANCELLED);
    }

    /** Goes on though it was told to stop, as a handler may. */
    private static void awaitStop(TaskContext context) {
        Eventually.until("it is told to stop", () -> {
            boolean stopped = context.isCancelled();
            if (stopped) {
                Thread.interrupted();
            }
            return stopped;
        });
    }

    private AtomicInteger work(String handler) {
        AtomicInteger handled = new AtomicInteger();
        site.worker(QUICK)
                .handler(handler, String.class, context -> {
                    handled.incrementAndGet();
                    return context.transactionally(
                            effects, String.class, connection -> insert(context.jobId(), "worker-1", connection));
                })
                .start();
        return handled;
    }

    /** As a worker would that dies thereafter. */
    private Claimed claimed(String handler) throws InterruptedException {
        return site.tasks
                .claim(new Wanted(
                        "dead",
                        List.of(new Lane("default", "h." + handler)),
                        1,
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(20)))
                .getFirst();
    }

    private void commit(Claimed task) throws SQLException {
        effects.once(task, () -> true, connection -> {
            insert(task.jobId(), "dead", connection);
            return "\"receipt\"";
        });
    }

    private Ended end(Claimed task) {
        return site.tasks
                .end(List.of(new Ending.Completed(task.held(), "\"other\"")), null)
                .endings()
                .getFirst();
    }

    private static String insert(String job, String worker, Connection connection) throws SQLException {
        try (var statement = connection.prepareStatement("INSERT INTO charges VALUES (?, ?)")) {
            statement.setString(1, job);
            statement.setString(2, worker);
            statement.executeUpdate();
        }
        return "receipt";
    }

    private List<String> charges(String job) {
        return site.database.withHandle(handle -> handle.createQuery("SELECT worker FROM charges WHERE job = :job")
                .bind("job", job)
                .mapTo(String.class)
                .list());
    }
}
