package dev.hotstate.bench.monitors;

import dev.hotstate.bench.drill.Mishaps;
import dev.hotstate.bench.drill.Report;
import dev.hotstate.bench.drill.ServerProcess;
import dev.hotstate.bench.drill.Supervised;
import dev.hotstate.bench.monitors.AlertLog.Mood;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What befalls a site: servers are killed and started again, Redis is emptied, PostgreSQL stands still, the webhook refuses
 * or says nothing.
 */
final class Calamities implements AutoCloseable {
    private final Site site;
    private final AlertLog alerts;
    private final Mishaps mishaps;
    final Supervised<ServerProcess> servers;
    final AtomicInteger flushes = new AtomicInteger();
    final AtomicInteger pauses = new AtomicInteger();

    /** Starts the servers; nothing happens to them yet. */
    Calamities(Site site, AlertLog alerts, int count, long seed, Report report) {
        this.site = site;
        this.alerts = alerts;
        this.mishaps = new Mishaps(seed, report);
        this.servers = new Supervised<>("server", count, () -> site.serve(Supervised.QUICK_START), mishaps);
    }

    /** Of a server that runs, as long as nothing happens to it. */
    String url() {
        return servers.all().getFirst().url();
    }

    void begin() {
        mishaps.every(seconds(8), seconds(20), servers::killSome);
        mishaps.every(seconds(25), seconds(45), this::emptyRedis);
        mishaps.every(seconds(15), seconds(35), this::pausePostgres);
        mishaps.every(seconds(4), seconds(12), this::changeTheMood);
    }

    /** Everything is in order when this returns. */
    void end() {
        mishaps.end();
        alerts.be(Mood.TAKING);
    }

    @Override
    public void close() {
        end();
        servers.close();
    }

    private void emptyRedis(Random chance) {
        mishaps.say("FLUSHALL");
        site.redis.flushAll();
        flushes.incrementAndGet();
    }

    private void pausePostgres(Random chance) throws InterruptedException {
        Duration length = Mishaps.between(chance, seconds(3), seconds(8));
        mishaps.say("PostgreSQL stands still for " + length.toMillis() + " ms");
        site.postgres.pause();
        try {
            mishaps.isOverWithin(length);
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

    private static Duration seconds(int count) {
        return Duration.ofSeconds(count);
    }
}
