package dev.hotstate.drivers;

import dev.hotstate.core.Follower;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where drivers are, on its way to PostgreSQL: the newest of each, once an interval. What this instance has not written when
 * it dies is lost to PostgreSQL (an interval of positions) until the driver's next fix; Redis has it. While PostgreSQL does
 * not answer it waits here, no more than the drivers there are.
 */
final class WriteBehind implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(WriteBehind.class);

    private final PostgresFixes fixes;
    private final PostgresTruth truth;
    private final Follower rounds;
    private final Map<String, Behind> waiting = new ConcurrentHashMap<>();
    private final Map<String, Long> told = new ConcurrentHashMap<>();
    /** How many are being written just now. */
    private volatile int underWay;

    private volatile long writtenUpTo = System.nanoTime();

    WriteBehind(PostgresFixes fixes, PostgresTruth truth, Duration every) {
        this.fixes = fixes;
        this.truth = truth;
        this.rounds = new Follower("positions", every, this::flush);
    }

    void start() {
        rounds.start();
    }

    void add(Behind behind) {
        waiting.merge(behind.id(), behind, Behind::with);
    }

    /** Redis has heard of this version of a driver. */
    void told(String id, long version) {
        told.merge(id, version, Math::max);
    }

    /** Writes what has come until now; if that fails it stays. */
    synchronized void flush() {
        long now = System.nanoTime();
        List<Behind> taken = drain();
        underWay = taken.size();
        try {
            if (!taken.isEmpty()) {
                fixes.write(taken);
            }
        } catch (RuntimeException failed) {
            taken.forEach(this::add);
            throw failed;
        } finally {
            underWay = 0;
        }
        writtenUpTo = now;
        Map<String, Long> versions = new HashMap<>();
        for (String id : told.keySet()) {
            Long version = told.remove(id);
            if (version != null) {
                versions.put(id, version);
            }
        }
        truth.told(versions);
    }

    /** How many drivers wait. */
    int size() {
        return waiting.size() + underWay;
    }

    /** How far PostgreSQL may be behind this instance; what a crash would lose. */
    Duration lag() {
        return size() == 0 ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - writtenUpTo);
    }

    /** Writes once more, if PostgreSQL answers. */
    @Override
    public void close() {
        rounds.close();
        try {
            flush();
        } catch (RuntimeException lost) {
            log.warn("positions of {} drivers did not reach PostgreSQL: {}", waiting.size(), lost.getMessage());
        }
    }

    private List<Behind> drain() {
        List<Behind> taken = new ArrayList<>(waiting.size());
        for (String id : waiting.keySet()) {
            Behind behind = waiting.remove(id);
            if (behind != null) {
                taken.add(behind);
            }
        }
        return taken;
    }
}
