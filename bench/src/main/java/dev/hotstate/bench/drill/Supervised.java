package dev.hotstate.bench.drill;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Processes of one kind, started again when they were killed, as a supervisor would. */
public final class Supervised<P extends Killable> implements AutoCloseable {
    /** A start takes long enough without the compiler that is worth it for hours. */
    public static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static final Duration LONGEST_AWAY = Duration.ofSeconds(4);

    private final String kind;
    private final Supplier<P> start;
    private final Mishaps mishaps;
    private final List<P> running = new CopyOnWriteArrayList<>();
    private final AtomicInteger kills = new AtomicInteger();
    private final AtomicInteger failedStarts = new AtomicInteger();

    /** Starts so many at once; nothing happens to them yet. */
    public Supervised(String kind, int count, Supplier<P> start, Mishaps mishaps) {
        this.kind = kind;
        this.start = start;
        this.mishaps = mishaps;
        try (ExecutorService starting = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<P>> started = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                started.add(starting.submit(start::get));
            }
            for (Future<P> each : started) {
                running.add(each.get());
            }
        } catch (ExecutionException failed) {
            close();
            throw new IllegalStateException("cannot start a " + kind, failed.getCause());
        } catch (InterruptedException hurried) {
            close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", hurried);
        }
    }

    /** As they are now: among them may be one that was killed and is not back yet. */
    public List<P> all() {
        return new ArrayList<>(running);
    }

    public int kills() {
        return kills.get();
    }

    public int failedStarts() {
        return failedStarts.get();
    }

    /** Kills one, at times a second before the first is back. */
    public void killSome(Random chance) throws InterruptedException {
        int victim = chance.nextInt(running.size());
        kill(victim);
        int second = (victim + 1) % running.size();
        boolean both = chance.nextInt(4) == 0;
        if (both) {
            mishaps.isOverWithin(Mishaps.between(chance, Duration.ZERO, LONGEST_AWAY.dividedBy(2)));
            kill(second);
        }
        mishaps.isOverWithin(Mishaps.between(chance, Duration.ZERO, LONGEST_AWAY));
        startAgain(victim);
        if (both) {
            startAgain(second);
        }
    }

    private void kill(int which) {
        mishaps.say("kill -9 of " + kind + " " + which);
        running.get(which).kill();
        kills.incrementAndGet();
    }

    /** One that cannot start, because PostgreSQL stands still, is started again. */
    private void startAgain(int which) throws InterruptedException {
        while (true) {
            try {
                running.set(which, start.get());
                mishaps.say(kind + " " + which + " is back");
                return;
            } catch (IllegalStateException ended) {
                failedStarts.incrementAndGet();
                mishaps.say(kind + " " + which + " did not start");
                Thread.sleep(500);
            }
        }
    }

    @Override
    public void close() {
        running.forEach(Killable::kill);
    }
}
