package dev.hotstate.server.chores;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.HotstateException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Keeps claims for the thread that works at them, one after the other: their leases are extended three times before they
 * would end. Work at a claim that was lost all the same, or that nobody could extend for a whole lease, is interrupted.
 */
final class Hold implements AutoCloseable {
    private final Agenda agenda;
    private final Duration lease;
    private final Set<Claim> held = ConcurrentHashMap.newKeySet();
    private final Thread worker = Thread.currentThread();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Claim atWork;
    private boolean interrupted;
    private long extendedAt = System.nanoTime();

    Hold(Agenda agenda, List<Claim> claims, Duration lease) {
        this.agenda = agenda;
        this.lease = lease;
        held.addAll(claims);
        Thread.ofVirtual().name("chores-lease").start(this::extendUntilClosed);
    }

    /** Does the work if the claim is still held; answers whether it was until the end. */
    boolean whileHeld(Claim claim, Runnable work) {
        if (!begin(claim)) {
            return false;
        }
        try {
            work.run();
        } finally {
            end();
        }
        return held.remove(claim);
    }

    /** What is held, and was not worked at. */
    List<Claim> rest() {
        return List.copyOf(held);
    }

    private synchronized boolean begin(Claim claim) {
        if (!held.contains(claim)) {
            return false;
        }
        atWork = claim;
        return true;
    }

    /** The interruption was for this work alone. */
    private synchronized void end() {
        atWork = null;
        if (interrupted) {
            interrupted = false;
            Thread.interrupted();
        }
    }

    private void extendUntilClosed() {
        try {
            while (!closed.await(lease.toMillis() / 3, TimeUnit.MILLISECONDS)) {
                extend(List.copyOf(held));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void extend(List<Claim> claims) {
        if (claims.isEmpty()) {
            return;
        }
        try {
            var lost = agenda.extend(claims, lease);
            extendedAt = System.nanoTime();
            lost.forEach(this::lose);
        } catch (HotstateException notNow) {
            if (System.nanoTime() - extendedAt > lease.toNanos()) {
                claims.forEach(this::lose);
            }
        }
    }

    private synchronized void lose(Claim claim) {
        held.remove(claim);
        if (claim.equals(atWork)) {
            interrupted = true;
            worker.interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
