package dev.hotstate.bench.monitors;

import dev.hotstate.bench.monitors.AlertLog.Mood;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What befalls a site at random moments, each kind on a thread of its own so that they meet in every way: servers are
 * killed and started again, Redis is emptied, PostgreSQL stands still, the webhook refuses or says nothing.
 */
final class Calamities implements AutoCloseable {
    /** A start of a server takes long enough without the compiler that is worth it for hours. */
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private final Site site;
    private final AlertLog alerts;
    private final Report report;
    private final Random seeds;
    private final long begun = System.nanoTime();
    private final List<ServerProcess> servers = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch over = new CountDownLatch(1);
    final AtomicInteger kills = new AtomicInteger();
    final AtomicInteger failedStarts = new AtomicInteger();
    final AtomicInteger flushes = new AtomicInteger();
    final AtomicInteger pauses = new AtomicInteger();

    /** Starts the servers, one after the other; nothing happens to them yet. */
    Calamities(Site site, AlertLog alerts, int count, long seed, Report report) {
        this.site = site;
        this.alerts = alerts;
        this.report = report;
        this.seeds = new Random(seed);
        for (int i = 0; i < count; i++) {
            servers.add(site.serve(QUICK_START));
        }
    }

    /** Of a server that runs, as long as nothing happens to it. */
    String url() {
        return servers.getFirst().url();
    }

    void begin() {
        every(seconds(8), seconds(20), this::killAServer);
        every(seconds(25), seconds(45), this::emptyRedis);
        every(seconds(15), seconds(35), this::pausePostgres);
        every(seconds(4), seconds(12), this::changeTheMood);
    }

    /** Everything is in order when this returns. */
    void end() {
        over.countDown();
        threads.forEach(Calamities::await);
        threads.clear();
        alerts.be(Mood.TAKING);
    }

    @Override
    public void close() {
        end();
        servers.forEach(ServerProcess::kill);
    }

    private interface Calamity {
        void happen(Random chance) throws InterruptedException;
    }

    private void every(Duration atLeast, Duration atMost, Calamity calamity) {
        Random chance = new Random(seeds.nextLong());
        threads.add(Thread.ofVirtual().start(() -> {
            try {
                while (!isOverWithin(between(chance, atLeast, atMost))) {
                    calamity.happen(chance);
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    /** At times the second one before the first is back. */
    private void killAServer(Random chance) throws InterruptedException {
        int victim = chance.nextInt(servers.size());
        kill(victim);
        int second = (victim + 1) % servers.size();
        boolean both = chance.nextInt(4) == 0;
        if (both) {
            isOverWithin(between(chance, Duration.ZERO, seconds(2)));
            kill(second);
        }
        isOverWithin(between(chance, Duration.ZERO, seconds(4)));
        startAgain(victim);
        if (both) {
            startAgain(second);
        }
    }

    private void kill(int server) {
        say("kill -9 of server " + server);
        servers.get(server).kill();
        kills.incrementAndGet();
    }

    /** As a supervisor would: one that cannot start, because PostgreSQL stands still, is started again. */
    private void startAgain(int server) throws InterruptedException {
        while (true) {
            try {
                servers.set(server, site.serve(QUICK_START));
                say("server " + server + " is back");
                return;
            } catch (IllegalStateException ended) {
                failedStarts.incrementAndGet();
                say("server " + server + " did not start");
                Thread.sleep(500);
            }
        }
    }

    private void emptyRedis(Random chance) {
        say("FLUSHALL");
        site.redis.flushAll();
        flushes.incrementAndGet();
    }

    private void pausePostgres(Random chance) throws InterruptedException {
        Duration length = between(chance, seconds(3), seconds(8));
        say("PostgreSQL stands still for " + length.toMillis() + " ms");
        site.postgres.pause();
        try {
            isOverWithin(length);
        } finally {
            site.postgres.resume();
        }
        pauses.incrementAndGet();
    }

    private void changeTheMood(Random chance) {
        int draw = chance.nextInt(10);
        Mood mood = draw < 6 ? Mood.TAKING : draw < 8 ? Mood.REFUSING : Mood.SILENT;
        alerts.be(mood);
    }

    private void say(String what) {
        report.say(String.format(Locale.ROOT, "%6.1f s  %s", (System.nanoTime() - begun) / 1e9, what));
    }

    private boolean isOverWithin(Duration length) throws InterruptedException {
        return over.await(length.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static Duration between(Random chance, Duration atLeast, Duration atMost) {
        return Duration.ofMillis(chance.nextLong(atLeast.toMillis(), atMost.toMillis()));
    }

    private static Duration seconds(int count) {
        return Duration.ofSeconds(count);
    }

    private static void await(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
