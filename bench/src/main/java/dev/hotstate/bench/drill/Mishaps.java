package dev.hotstate.bench.drill;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** What happens at random moments, each kind on a thread of its own so that they meet in every way. */
public final class Mishaps implements AutoCloseable {
    private final Report report;
    private final Random seeds;
    private volatile long begun = System.nanoTime();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<@Nullable Throwable> wrong = new AtomicReference<>();
    private final CountDownLatch over = new CountDownLatch(1);

    public Mishaps(long seed, Report report) {
        this.seeds = new Random(seed);
        this.report = report;
    }

    /** Leaves everything in order when it returns. */
    public interface Mishap {
        void happen(Random chance) throws InterruptedException;
    }

    /** From now on, until the end, again and again after a while of this length. */
    public void every(Duration atLeast, Duration atMost, Mishap mishap) {
        if (threads.isEmpty()) {
            begun = System.nanoTime();
        }
        Random chance = new Random(seeds.nextLong());
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                while (!isOverWithin(between(chance, atLeast, atMost))) {
                    mishap.happen(chance);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            } catch (RuntimeException | Error broken) {
                say("went wrong: " + broken);
                wrong.compareAndSet(null, broken);
            }
        }));
    }

    /**
     * Everything is in order when this returns.
     *
     * @throws IllegalStateException where one of them could not be done or undone: what follows would be no drill
     */
    public void end() {
        over.countDown();
        threads.forEach(Mishaps::await);
        threads.clear();
        Throwable broken = wrong.getAndSet(null);
        if (broken != null) {
            throw new IllegalStateException("a mishap went wrong", broken);
        }
    }

    /** Waits so long, or until the end. */
    public boolean isOverWithin(Duration length) throws InterruptedException {
        return over.await(length.toMillis(), TimeUnit.MILLISECONDS);
    }

    public void say(String what) {
        report.say(String.format(Locale.ROOT, "%6.1f s  %s", (System.nanoTime() - begun) / 1e9, what));
    }

    public static Duration between(Random chance, Duration atLeast, Duration atMost) {
        return Duration.ofMillis(chance.nextLong(atLeast.toMillis(), atMost.toMillis()));
    }

    @Override
    public void close() {
        end();
    }

    private static void await(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
