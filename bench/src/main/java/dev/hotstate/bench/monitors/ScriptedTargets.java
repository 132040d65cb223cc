package dev.hotstate.bench.monitors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hotstate.bench.drill.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Targets that go down and come back by chance, and a journal of when they did. Each stays as it is for so long, and until
 * it was asked so often, that nobody who looks as often as he should can miss it, whatever is killed meanwhile: two outages
 * that could not be told apart are none of the script's.
 */
final class ScriptedTargets implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(50);
    private static final int SLOWEST_MS = 150;

    private final List<Target> targets = new ArrayList<>();
    private final HttpServer server;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Script script;
    private volatile boolean ending;

    /**
     * @param shortest how long a target stays as it is at least
     * @param longest and at most, if it was asked
     * @param asked how often it is asked before it changes
     */
    record Script(Duration shortest, Duration longest, int asked) {
        Instant next(Instant now, Random chance) {
            return now.plusMillis(chance.nextLong(shortest.toMillis(), longest.toMillis()));
        }
    }

    /** From when to when a target answered with failures. */
    record Outage(int monitor, Instant began, Instant ended) {}

    ScriptedTargets(int count, Script script, long seed) {
        this.script = script;
        Random chance = new Random(seed);
        for (int i = 0; i < count; i++) {
            targets.add(new Target(i, new Random(chance.nextLong())));
        }
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1_024);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    String url(int monitor) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + monitor;
    }

    /** From now on they change. */
    void begin() {
        Instant now = Site.CLOCK.instant();
        targets.forEach(target -> target.startAt(now));
        Thread.ofVirtual().start(this::change);
    }

    /** No outage begins any more; those under way go on to their end. */
    void calmDown() {
        ending = true;
    }

    boolean allUp() {
        return targets.stream().noneMatch(Target::isDown);
    }

    List<Outage> journal() {
        return targets.stream().flatMap(target -> target.outages().stream()).toList();
    }

    private void change() {
        try {
            while (!closed.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                Instant now = Site.CLOCK.instant();
                targets.forEach(target -> target.changeIfTime(now));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** After a while, so that some checks are under way when a server is killed. */
    private void answer(HttpExchange exchange) throws IOException {
        Waiting.pause(Duration.ofMillis(ThreadLocalRandom.current().nextInt(SLOWEST_MS)));
        Target target =
                targets.get(Integer.parseInt(exchange.getRequestURI().getPath().substring(1)));
        switch (target.ask()) {
            case UP -> exchange.sendResponseHeaders(200, -1);
            case FAILING -> exchange.sendResponseHeaders(503, -1);
            case ABRUPT -> {
                // The connection ends without an answer.
            }
        }
        exchange.close();
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
    }

    private enum Manner {
        UP,
        FAILING,
        ABRUPT
    }

    private final class Target {
        private final int number;
        private final Random chance;
        private final List<Outage> outages = new ArrayList<>();
        private Manner manner = Manner.UP;
        private Instant since = Instant.EPOCH;
        private Instant until = Instant.MAX;
        private int asked;

        Target(int number, Random chance) {
            this.number = number;
            this.chance = chance;
        }

        synchronized Manner ask() {
            asked++;
            return manner;
        }

        synchronized boolean isDown() {
            return manner != Manner.UP;
        }

        synchronized List<Outage> outages() {
            return List.copyOf(outages);
        }

        /** The first outages are spread: not all of them begin after the shortest time. */
        synchronized void startAt(Instant now) {
            until = now.plusMillis(chance.nextLong(script.longest.toMillis()));
        }

        synchronized void changeIfTime(Instant now) {
            if (now.isBefore(until) || asked < script.asked || ending && manner == Manner.UP) {
                return;
            }
            if (manner == Manner.UP) {
                manner = chance.nextBoolean() ? Manner.FAILING : Manner.ABRUPT;
            } else {
                manner = Manner.UP;
                outages.add(new Outage(number, since, now));
            }
            since = now;
            asked = 0;
            until = script.next(now, chance);
        }
    }
}
