package dev.hotstate.bench.jobs.drill;

import dev.hotstate.bench.drill.JvmProcess;
import dev.hotstate.bench.drill.Mishaps;
import dev.hotstate.bench.drill.Report;
import dev.hotstate.bench.drill.ServerProcess;
import dev.hotstate.bench.drill.Supervised;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * What befalls the site: servers and workers are killed and started again, workers stand still for longer than their
 * leases, Redis is emptied, PostgreSQL stands still; of a Cluster a master dies, or a partition's slot moves.
 */
final class Calamities implements AutoCloseable {
    private static final int SERVERS = 2;
    private static final int WORKERS = 3;

    private final DrillSite site;
    private final Mishaps mishaps;
    final Supervised<ServerProcess> servers;
    final Supervised<JvmProcess> workers;
    private final Map<String, Integer> counts = new TreeMap<>();

    /** Starts servers and workers; nothing happens to them yet. */
    Calamities(DrillSite site, long seed, Report report) {
        this.site = site;
        this.mishaps = new Mishaps(seed, report);
        // The first server makes the tables that workers need.
        this.servers = new Supervised<>("server", SERVERS, site::serve, mishaps);
        this.workers = new Supervised<>("worker", WORKERS, site::work, mishaps);
    }

    void begin() {
        mishaps.every(seconds(8), seconds(20), servers::killSome);
        mishaps.every(seconds(4), seconds(12), workers::killSome);
        mishaps.every(seconds(6), seconds(15), this::freezeAWorker);
        mishaps.every(seconds(15), seconds(35), this::pausePostgres);
        RedisCluster cluster = site.cluster;
        if (cluster == null) {
            mishaps.every(seconds(12), seconds(30), this::emptyRedis);
        } else {
            mishaps.every(seconds(5), seconds(15), chance -> disturb(cluster, chance));
        }
    }

    /** Everything is in order when this returns. */
    void end() {
        mishaps.end();
    }

    /** How often each happened. */
    synchronized Map<String, Integer> counts() {
        Map<String, Integer> all = new TreeMap<>(counts);
        all.put("servers killed", servers.kills());
        all.put("workers killed", workers.kills());
        all.put("starts that failed", servers.failedStarts() + workers.failedStarts());
        return all;
    }

    @Override
    public void close() {
        end();
        servers.close();
        workers.close();
    }

    private void freezeAWorker(Random chance) throws InterruptedException {
        int victim = chance.nextInt(WORKERS);
        JvmProcess worker = workers.all().get(victim);
        Duration length = Mishaps.between(chance, seconds(2), seconds(6));
        mishaps.say("worker " + victim + " stands still for " + length.toMillis() + " ms");
        worker.freeze();
        try {
            mishaps.isOverWithin(length);
        } finally {
            worker.thaw();
        }
        count("workers that stood still");
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
        count("PostgreSQL paused");
    }

    private void emptyRedis(Random chance) {
        mishaps.say("FLUSHALL");
        site.redis.flushAll();
        count("Redis emptied");
    }

    /** One after the other, as each of them waits until all nodes agree again. */
    private void disturb(RedisCluster cluster, Random chance) throws InterruptedException {
        switch (chance.nextInt(5)) {
            case 0 -> emptyRedis(chance);
            case 1, 2 -> failOver(cluster, chance);
            default -> moveASlot(cluster, chance);
        }
    }

    private void failOver(RedisCluster cluster, Random chance) throws InterruptedException {
        List<RedisServer> masters = cluster.masters();
        RedisServer master = masters.get(chance.nextInt(masters.size()));
        mishaps.say("kill -9 of the Redis master on " + master.port());
        cluster.failOver(master);
        mishaps.say("its replica has taken over");
        mishaps.isOverWithin(Mishaps.between(chance, Duration.ZERO, seconds(3)));
        cluster.heal();
        count("Redis masters failed over");
    }

    private void moveASlot(RedisCluster cluster, Random chance) {
        List<Partition> partitions = new Partitions("j", Jobbing.Options.DEFAULTS.partitions()).all();
        String tag = partitions.get(chance.nextInt(partitions.size())).tag();
        int slot = RedisCluster.slotOf("{" + tag + "}");
        RedisServer from = cluster.masterOf(slot);
        List<RedisServer> others =
                cluster.masters().stream().filter(master -> master != from).toList();
        RedisServer to = others.get(chance.nextInt(others.size()));
        mishaps.say("partition " + tag + " moves from " + from.port() + " to " + to.port());
        cluster.migrateSlot(slot, to);
        mishaps.say("partition " + tag + " has moved");
        count("slots moved");
    }

    private synchronized void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    private static Duration seconds(int count) {
        return Duration.ofSeconds(count);
    }
}
