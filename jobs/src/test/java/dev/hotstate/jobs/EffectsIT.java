package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Fence;
import dev.hotstate.jobs.Effects.Committed;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.store.StoreException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.Testkit;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Writes of a task that happen once, whatever becomes of its attempts. */
@ExtendWith(Testkit.class)
class EffectsIT {
    private final Database database;
    private final PostgresEffects effects;

    EffectsIT(PostgresDatabase postgres) {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()
                .replaceFirst(
                        "^jdbc:postgresql://",
                        "postgres://" + encoded(postgres.user()) + ":" + encoded(postgres.password()) + "@")));
        database.migrate(List.of(MigrationSet.of("jobs")));
        effects = new PostgresEffects(database);
    }

    @BeforeEach
    void begin() {
        database.useHandle(handle -> {
            handle.execute("CREATE TABLE IF NOT EXISTS charges (amount integer)");
            handle.execute("TRUNCATE charges, jobs_jobs, jobs_effects");
            handle.execute("""
                    INSERT INTO jobs_jobs (id, hash, name, created_by, priority, queue, tasks, look_at, created_at, document)
                    VALUES ('shop', 1, 'shop', 'ada', 0, 'default', 1, now(), now(), '{}')""");
        });
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void writesAndCompletionAreOneTransaction() {
        assertThat(charge(attempt(1))).isEqualTo(new Committed("{\"paid\":5}", false));

        assertThat(charges()).containsExactly(5);
        assertThat(effects.committed("shop", "charge", 1)).contains(new Committed("{\"paid\":5}", true));
    }

    @Test
    void aSecondAttemptFindsItDoneAndWritesNothing() {
        charge(attempt(1));

        assertThat(charge(attempt(2))).isEqualTo(new Committed("{\"paid\":5}", true));

        assertThat(charges()).containsExactly(5);
    }

    @Test
    void whatFailsLeavesNothingAndMayBeTriedAgain() {
        assertThatThrownBy(() -> effects.once(attempt(1), () -> true, connection -> {
                    insert(connection);
                    throw new IllegalStateException("no credit");
                }))
                .hasMessage("no credit");

        assertThat(charges()).isEmpty();
        assertThat(charge(attempt(2)).earlier()).isFalse();
        assertThat(charges()).containsExactly(5);
    }

    @Test
    void anEarlierAttemptIsRefusedOnceALaterOneWasThereAlsoIfThatFailed() {
        assertThatThrownBy(() -> effects.once(attempt(2), () -> true, connection -> {
                    throw new IllegalStateException("no credit");
                }))
                .hasMessage("no credit");

        assertThatThrownBy(() -> charge(attempt(1)))
                .isInstanceOf(EffectRefusedException.class)
                .hasMessageContaining("a later attempt");
        assertThat(charges()).isEmpty();
    }

    @Test
    void anEarlierAttemptOfTheSameNumberIsRefusedOnceALaterOneHasFailed() {
        Claimed before = attempt(1);
        Claimed afterALoss = attempt(1, new Fence(2, 1), Duration.ofMinutes(1));
        assertThatThrownBy(() -> effects.once(afterALoss, () -> true, connection -> {
                    insert(connection);
                    throw new IllegalStateException("no credit");
                }))
                .hasMessage("no credit");

        assertThatThrownBy(() -> charge(before))
                .isInstanceOf(EffectRefusedException.class)
                .hasMessageContaining("a later attempt");
        assertThat(charges()).isEmpty();
    }

    @Test
    void twoAttemptsAtOnceWriteOnce() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Committed> slow = aside(() -> write(attempt(1), connection -> {
            insert(connection);
            writing.countDown();
            assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
        }));
        assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Committed> second = aside(() -> charge(attempt(2)));
        Eventually.until("the second waits for the first", this::somebodyWaitsForALock);
        goOn.countDown();

        assertThat(slow.get().earlier()).isFalse();
        assertThat(second.get().earlier()).isTrue();
        assertThat(charges()).containsExactly(5);
    }

    @Test
    void nobodyWritesAfterTheLastAttemptWasGivenUp() {
        assertThat(effects.committed("shop", "charge", 1)).isEmpty();

        assertThatThrownBy(() -> charge(attempt(1)))
                .isInstanceOf(EffectRefusedException.class)
                .hasMessageContaining("given up");
        assertThat(charges()).isEmpty();
        assertThat(effects.committed("shop", "charge", 1)).isEmpty();
    }

    @Test
    void nobodyGivesUpAnAttemptThatIsAtItsCommit() throws Exception {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CompletableFuture<Committed> slow = aside(() -> write(attempt(1), connection -> {
            insert(connection);
            writing.countDown();
            assertThat(goOn.await(20, TimeUnit.SECONDS)).isTrue();
        }));
        assertThat(writing.await(20, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Optional<Committed>> asked = aside(() -> effects.committed("shop", "charge", 1));
        Eventually.until("it waits for the attempt", this::somebodyWaitsForALock);
        assertThatThrownBy(asked::get).as("not for ever").hasCauseInstanceOf(StoreException.class);
        goOn.countDown();

        assertThat(slow.get().earlier()).isFalse();
        assertThat(effects.committed("shop", "charge", 1)).contains(new Committed("{\"paid\":5}", true));
    }

    @Test
    void anAttemptThatNeverReturnsHoldsItsTaskNoLongerThanItsTimeout() {
        CountDownLatch writing = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<Committed> stuck = aside(() -> write(attempt(1, Duration.ofMillis(500)), connection -> {
            insert(connection);
            writing.countDown();
            over.await();
        }));
        Eventually.until("it writes, or was too slow for that", () -> writing.getCount() == 0 || stuck.isDone());

        Eventually.until("it can be given up though it has not returned", this::canBeGivenUp);

        over.countDown();
        assertThatThrownBy(stuck::get).hasCauseInstanceOf(StoreException.class);
        assertThat(charges()).isEmpty();
    }

    @Test
    void aCancelledJobWritesNoMore() {
        database.useHandle(handle -> handle.execute("UPDATE jobs_jobs SET intent = 'cancel'"));
        assertThatThrownBy(() -> charge(attempt(1))).hasMessageContaining("cancelled");

        database.useHandle(handle -> handle.execute("UPDATE jobs_jobs SET intent = 'none'"));
        assertThatThrownBy(() -> write(attempt(1), connection -> {
                    insert(connection);
                    cancelMeanwhile();
                }))
                .isInstanceOf(EffectRefusedException.class)
                .hasMessageContaining("cancelled");
        assertThat(charges()).isEmpty();
    }

    @Test
    void anAttemptThatLostItsTaskMeanwhileCommitsNothing() {
        assertThatThrownBy(() -> effects.once(attempt(1), () -> false, connection -> {
                    insert(connection);
                    return null;
                }))
                .isInstanceOf(EffectRefusedException.class)
                .hasMessageContaining("another attempt");
        assertThat(charges()).isEmpty();
    }

    @Test
    void anEndedJobAnotherEpochAndAnUnknownJobAreRefused() {
        database.useHandle(handle -> handle.execute("UPDATE jobs_jobs SET status = 'FAILED'"));
        assertThatThrownBy(() -> charge(attempt(1))).hasMessageContaining("the job has ended");

        database.useHandle(handle -> handle.execute("UPDATE jobs_jobs SET status = 'RUNNING', epoch = 2"));
        assertThatThrownBy(() -> charge(attempt(1))).hasMessageContaining("run again, as epoch 2");

        database.useHandle(handle -> handle.execute("TRUNCATE jobs_jobs, jobs_effects"));
        assertThatThrownBy(() -> charge(attempt(1))).hasMessageContaining("knows no such job");
        assertThat(effects.committed("shop", "charge", 1)).isEmpty();
        assertThat(charges()).isEmpty();
    }

    /** On a thread, and so a connection, of its own. */
    private void cancelMeanwhile() throws Exception {
        Thread other = Thread.ofVirtual()
                .start(() -> database.useHandle(
                        handle -> handle.execute("UPDATE jobs_jobs SET status = 'CANCELLED' WHERE id = 'shop'")));
        other.join();
    }

    private static <T> CompletableFuture<T> aside(Supplier<T> work) {
        return CompletableFuture.supplyAsync(work, Thread::startVirtualThread);
    }

    private interface Step {
        void take(Connection connection) throws Exception;
    }

    private Committed charge(Claimed attempt) {
        return write(attempt, EffectsIT::insert);
    }

    private Committed write(Claimed attempt, Step step) {
        return effects.<RuntimeException>once(attempt, () -> true, connection -> {
            try {
                step.take(connection);
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
            return "{\"paid\":5}";
        });
    }

    private static void insert(Connection connection) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute("INSERT INTO charges VALUES (5)");
        }
    }

    private List<Integer> charges() {
        return database.withHandle(handle -> handle.createQuery("SELECT amount FROM charges")
                .mapTo(Integer.class)
                .list());
    }

    private boolean canBeGivenUp() {
        try {
            return effects.committed("shop", "charge", 1).isEmpty();
        } catch (StoreException busy) {
            return false;
        }
    }

    private boolean somebodyWaitsForALock() {
        return database.withHandle(handle -> handle.createQuery("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted")
                .mapTo(Boolean.class)
                .one());
    }

    private static Claimed attempt(int number) {
        return attempt(number, Duration.ofMinutes(1));
    }

    private static Claimed attempt(int number, Duration timeout) {
        return attempt(number, new Fence(1, number), timeout);
    }

    private static Claimed attempt(int number, Fence fence, Duration timeout) {
        return new Claimed(
                "shop",
                "charge",
                1,
                fence,
                number,
                false,
                new Lane("default", "h.charge"),
                null,
                null,
                Map.of(),
                List.of(),
                Instant.EPOCH,
                timeout);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
