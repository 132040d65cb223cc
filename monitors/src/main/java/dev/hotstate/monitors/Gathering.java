package dev.hotstate.monitors;

import dev.hotstate.core.HotstateException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * Calls of one kind that come within a moment are made as one. The first after a while goes at once. Those that come within
 * a moment of the last departure wait until it has passed, or until as many are there as may go together: so nobody waits
 * for company longer than that, and however many come, trips are few.
 *
 * @param <A> what a caller brings
 * @param <B> what it gets
 */
final class Gathering<A, B> {
    private static final long MOMENT = Duration.ofMillis(20).toNanos();

    private final int most;
    private final Function<List<A>, List<B>> trip;
    private final ReentrantLock turn = new ReentrantLock();
    private final Condition full = turn.newCondition();
    private final Queue<Seat<A, B>> waiting = new ArrayDeque<>();
    private long departed = System.nanoTime() - MOMENT;
    private boolean led;

    /**
     * @param most that go together
     * @param trip answers each, in their order; it must end within a time of its own
     */
    Gathering(int most, Function<List<A>, List<B>> trip) {
        this.most = most;
        this.trip = trip;
    }

    private record Seat<A, B>(A brought, CompletableFuture<B> answer) {}

    /**
     * Waits for the answer.
     *
     * @throws HotstateException when its thread is interrupted: it may have happened
     * @throws RuntimeException what the trip failed with, for all who were on it
     */
    B bring(A brought) {
        Seat<A, B> seat = new Seat<>(brought, new CompletableFuture<>());
        turn.lock();
        try {
            waiting.add(seat);
            if (!led) {
                led = true;
                // Not the caller's: it could be interrupted, and would take the others with it.
                Thread.startVirtualThread(this::lead);
            } else if (waiting.size() == most) {
                full.signal();
            }
        } finally {
            turn.unlock();
        }
        return await(seat.answer());
    }

    /** How many are here and not on their way yet. */
    int waiting() {
        turn.lock();
        try {
            return waiting.size();
        } finally {
            turn.unlock();
        }
    }

    private B await(CompletableFuture<B> answer) {
        try {
            return answer.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException reason) {
                throw reason;
            }
            throw new CompletionException(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new HotstateException("interrupted while waiting for Redis", stopped);
        }
    }

    /** Goes with those who are there, again and again until nobody is. */
    private void lead() {
        List<Seat<A, B>> company = next();
        while (!company.isEmpty()) {
            go(company);
            company = next();
        }
    }

    /** Those who go next, once it is time; nobody where nobody waits, and then nobody leads. */
    private List<Seat<A, B>> next() {
        turn.lock();
        try {
            List<Seat<A, B>> company = new ArrayList<>();
            if (waiting.isEmpty()) {
                led = false;
                return company;
            }
            long left = departed + MOMENT - System.nanoTime();
            while (left > 0 && waiting.size() < most) {
                left = full.awaitNanos(left);
            }
            while (company.size() < most && !waiting.isEmpty()) {
                company.add(waiting.remove());
            }
            departed = System.nanoTime();
            return company;
        } catch (InterruptedException impossible) {
            throw new IllegalStateException("nobody knows this thread", impossible);
        } finally {
            turn.unlock();
        }
    }

    private void go(List<Seat<A, B>> company) {
        try {
            List<B> answers = trip.apply(company.stream().map(Seat::brought).toList());
            for (int i = 0; i < company.size(); i++) {
                company.get(i).answer().complete(answers.get(i));
            }
        } catch (RuntimeException | Error failed) {
            company.forEach(seat -> seat.answer().completeExceptionally(failed));
            failOthers(failed);
        }
    }

    /** What has just failed would fail for those who wait too, one wait after the other. */
    private void failOthers(Throwable failed) {
        turn.lock();
        try {
            waiting.forEach(seat -> seat.answer().completeExceptionally(failed));
            waiting.clear();
        } finally {
            turn.unlock();
        }
    }
}
