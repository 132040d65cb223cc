package dev.hotstate.core;

import dev.hotstate.core.Lanes.Lane;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import java.io.IOException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One command under way. It holds a place on its connection and a permission of its node's circuit, and gives both back
 * when it ends: by exactly one {@link #await} or {@link #abandon}.
 */
final class Attempt<T> {
    private final Circuit circuit;
    private final Lane lane;
    private final CompletableFuture<T> future;
    private final Expiry expiry;
    private final long sentAt;

    private Attempt(Circuit circuit, Lane lane, Expiry expiry, long sentAt, CompletableFuture<T> future) {
        this.circuit = circuit;
        this.lane = lane;
        this.expiry = expiry;
        this.sentAt = sentAt;
        this.future = future;
    }

    /** Sends a request that has its permission and its place. */
    static <T> Attempt<T> send(Request<T> request, Circuit circuit, Lane lane, Expiry expiry) {
        return begin(
                circuit,
                lane,
                expiry,
                () -> request.send(lane.connection().commands()).toCompletableFuture());
    }

    /** The same on a line of its own, where its answer is awaited at once; what lasts too long is ended by closing the line. */
    static <T> Attempt<T> ask(DirectLine line, Question<T> question, Circuit circuit, Lane lane, Expiry expiry) {
        return begin(circuit, lane, expiry, () -> {
            CompletableFuture<@Nullable Void> wait = new CompletableFuture<>();
            wait.exceptionally(late -> {
                line.close();
                return null;
            });
            expiry.watch(wait);
            try {
                return CompletableFuture.completedFuture(question.ask(line));
            } catch (IOException broken) {
                return CompletableFuture.failedFuture(wait.isCancelled() ? new TimeoutException() : broken);
            } finally {
                wait.complete(null);
            }
        });
    }

    /** What is asked on a line. */
    @FunctionalInterface
    interface Question<T> {
        T ask(DirectLine line) throws IOException;
    }

    private static <T> Attempt<T> begin(
            Circuit circuit, Lane lane, Expiry expiry, Supplier<CompletableFuture<T>> sending) {
        long sentAt = System.nanoTime();
        try {
            return new Attempt<>(circuit, lane, expiry, sentAt, sending.get());
        } catch (RedisException failed) {
            return new Attempt<>(circuit, lane, expiry, sentAt, CompletableFuture.failedFuture(failed));
        } catch (RuntimeException mistake) {
            circuit.abandoned();
            lane.leave();
            throw mistake;
        }
    }

    long sentAt() {
        return sentAt;
    }

    /** The answer, if it comes before this time of {@link System#nanoTime}. */
    T await(long until) throws Failed {
        try {
            T answer = answer(until);
            circuit.succeeded(System.nanoTime() - sentAt);
            return answer;
        } catch (ExecutionException broken) {
            throw failed(broken.getCause() == null ? broken : broken.getCause());
        } catch (CancellationException dropped) {
            throw until - System.nanoTime() <= 0 ? late() : failed(dropped);
        } catch (TimeoutException late) {
            future.cancel(true);
            throw late();
        } catch (InterruptedException stopped) {
            future.cancel(true);
            circuit.abandoned();
            Thread.currentThread().interrupt();
            throw new Failed(Failure.INTERRUPTED, stopped);
        } finally {
            lane.leave();
        }
    }

    private T answer(long until) throws InterruptedException, ExecutionException, TimeoutException {
        if (future.isDone() || expiry.watches(future, until)) {
            return future.get();
        }
        return future.get(Math.max(0, until - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    /** Whether a line's node has answered that another one serves the slot. Whoever asks Lettuce need not know. */
    boolean isForAnother() {
        return future.isCompletedExceptionally()
                && future.exceptionNow() instanceof RedisCommandExecutionException refused
                && Failure.isRedirection(refused);
    }

    /** Nobody waits for the answer any more. */
    void abandon() {
        future.cancel(true);
        circuit.abandoned();
        lane.leave();
    }

    private Failed late() {
        lane.suspect(circuit.node());
        return failed(new TimeoutException());
    }

    private Failed failed(Throwable reason) {
        Failure kind = Failure.of(reason);
        long took = System.nanoTime() - sentAt;
        if (kind == Failure.OVERLOADED || kind == Failure.INTERRUPTED) {
            circuit.abandoned();
        } else if (kind.countsAgainstNode()) {
            circuit.failed(took, reason);
        } else {
            circuit.succeeded(took);
        }
        return new Failed(kind, reason);
    }

    /** Carries an attempt's end to the call that decides whether there is another. */
    static final class Failed extends Exception {
        private static final long serialVersionUID = 1L;
        private final Failure kind;
        private final Throwable reason;

        Failed(Failure kind, Throwable reason) {
            super(null, reason, false, false);
            this.kind = kind;
            this.reason = reason;
        }

        Failure kind() {
            return kind;
        }

        HotstateException asException() {
            return switch (kind) {
                case REFUSED -> new RedisRefusedException("Redis refused: " + Causes.sentence(reason), reason);
                case INTERRUPTED -> new RedisUnavailableException("interrupted while waiting for Redis", reason);
                case UNKNOWN ->
                    new RedisUnavailableException(
                            reason instanceof TimeoutException
                                    ? "Redis did not answer in time"
                                    : "the connection to Redis broke: " + Causes.sentence(reason),
                            reason);
                default -> new RedisUnavailableException("Redis is not ready: " + Causes.sentence(reason), reason);
            };
        }
    }
}
