package dev.hotstate.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One question at a time, asked on a thread of its own: a PostgreSQL that hangs holds that thread (until the socket's
 * timeout), never the asker, and however often health is asked it holds only the one.
 */
final class HealthCheck {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final DatabaseUrl url;
    private final Pool pool;
    private @Nullable CompletableFuture<DatabaseHealth> underWay;

    HealthCheck(DatabaseUrl url, Pool pool) {
        this.url = url;
        this.pool = pool;
    }

    /**
     * @param connection one of the pool's
     * @param beside one of its own, for when the pool is full: its queue says nothing of PostgreSQL
     * @param isFull whether all that the pool may have are in use
     */
    record Pool(Supplier<Connection> connection, Supplier<Connection> beside, BooleanSupplier isFull) {}

    DatabaseHealth ask() {
        try {
            return start().get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return down("did not answer within " + PATIENCE.toSeconds() + " s.");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return down("was not asked to the end: this thread was interrupted.");
        } catch (ExecutionException e) {
            return e.getCause() instanceof StoreException told
                    ? new DatabaseHealth.Down(String.valueOf(told.getMessage()))
                    : down("could not be asked: " + e.getCause());
        }
    }

    private synchronized CompletableFuture<DatabaseHealth> start() {
        CompletableFuture<DatabaseHealth> current = underWay;
        if (current == null || current.isDone()) {
            current = CompletableFuture.supplyAsync(this::query, Thread::startVirtualThread);
            underWay = current;
        }
        return current;
    }

    private DatabaseHealth query() {
        long start = System.nanoTime();
        boolean full = pool.isFull().getAsBoolean();
        try (Connection connection = (full ? pool.beside() : pool.connection()).get();
                Statement statement = connection.createStatement()) {
            connection.setNetworkTimeout(Runnable::run, (int) PATIENCE.toMillis());
            try (ResultSet answer = statement.executeQuery("SHOW server_version")) {
                answer.next();
                var up = new DatabaseHealth.Up(Duration.ofNanos(System.nanoTime() - start), answer.getString(1));
                return full && pool.isFull().getAsBoolean() ? busy(up) : up;
            }
        } catch (SQLException e) {
            return down("fails to answer: " + Sentences.of(e));
        }
    }

    private DatabaseHealth busy(DatabaseHealth.Up up) {
        return new DatabaseHealth.Busy(up, "Every connection to PostgreSQL at " + url.address() + " is in use.");
    }

    private DatabaseHealth down(String what) {
        return new DatabaseHealth.Down("PostgreSQL at " + url.address() + " " + what);
    }
}
