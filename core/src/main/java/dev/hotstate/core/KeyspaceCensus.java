package dev.hotstate.core;

import io.lettuce.core.KeyScanCursor;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the live keys of each family and estimates their memory.
 *
 * <p>Every master is scanned in steps of 500 keys, so none is held for more than a fraction of a millisecond, until the
 * time is up. The first {@value #SAMPLE} keys of a family on each master are weighed by {@code MEMORY USAGE}, which looks
 * at five elements of each; SCAN's order is that of a hash, so they stand for the rest. A key that is renamed or a table
 * that grows meanwhile may be counted twice.
 */
public final class KeyspaceCensus {
    private static final int STEP = 500;
    private static final int SAMPLE = 100;
    private static final int EXAMPLES = 10;

    private final Redis redis;
    private final InstantSource clock;
    private final Duration atMost;

    /** @param atMost the time a census may take, all masters together; what was counted by then is the result */
    public KeyspaceCensus(Redis redis, InstantSource clock, Duration atMost) {
        this.redis = redis;
        this.clock = clock;
        this.atMost = atMost;
    }

    /**
     * What was found.
     *
     * @param families every declared family, in the keyspace's order, those without keys too
     * @param complete whether every master was scanned to its end
     */
    public record Census(Map<KeyFamily, Count> families, Undeclared undeclared, boolean complete, Instant sampledAt) {}

    /**
     * @param bytes estimated from the sample
     * @param sampled how many keys were weighed
     */
    public record Count(long keys, long bytes, long sampled) {
        static final Count NONE = new Count(0, 0, 0);

        Count plus(Count other) {
            return new Count(keys + other.keys, bytes + other.bytes, sampled + other.sampled);
        }
    }

    /** Keys under the prefix that no family declares, with up to {@value #EXAMPLES} of their names. */
    public record Undeclared(long keys, List<String> examples) {}

    /** A new census; empty when no master answered, so that the caller keeps the one it has. */
    public Optional<Census> take() {
        long deadline = System.nanoTime() + atMost.toNanos();
        Instant sampledAt = clock.instant();
        Map<KeyFamily, Count> families = new LinkedHashMap<>();
        redis.keyspace().families().forEach(family -> families.put(family, Count.NONE));
        List<String> examples = new ArrayList<>();
        long undeclared = 0;
        boolean complete = true;
        boolean answered = false;
        for (String master : redis.masters()) {
            NodeScan scan = new NodeScan(deadline);
            boolean finished = redis.node(master).map(scan::run).orElse(false);
            complete &= finished;
            answered |= finished || scan.answered;
            scan.tallies.forEach((family, tally) -> families.merge(family, tally.count(), Count::plus));
            scan.examples.stream().limit(EXAMPLES - examples.size()).forEach(examples::add);
            undeclared += scan.undeclared;
        }
        return answered
                ? Optional.of(
                        new Census(families, new Undeclared(undeclared, List.copyOf(examples)), complete, sampledAt))
                : Optional.empty();
    }

    /** The walk over one master's keys. */
    private final class NodeScan {
        private final long deadline;
        private final Map<KeyFamily, Tally> tallies = new HashMap<>();
        private final List<String> examples = new ArrayList<>();
        private long undeclared;
        private boolean answered;

        NodeScan(long deadline) {
            this.deadline = deadline;
        }

        /** Whether it came to the end. */
        boolean run(RedisClusterAsyncCommands<String, String> node) {
            ScanArgs ours = ScanArgs.Builder.limit(STEP).match(redis.keyspace().prefix() + ":*");
            ScanCursor cursor = ScanCursor.INITIAL;
            do {
                Optional<KeyScanCursor<String>> page = Waiting.value(node.scan(cursor, ours), left());
                if (page.isEmpty()) {
                    return false;
                }
                answered = true;
                weigh(node, count(page.get().getKeys()));
                cursor = page.get();
            } while (!cursor.isFinished());
            return true;
        }

        /** Counts a page of keys; answers those to weigh. */
        private Map<String, Tally> count(List<String> names) {
            Map<String, Tally> chosen = new LinkedHashMap<>();
            for (String name : names) {
                Optional<KeyFamily> family = redis.keyspace().find(name);
                if (family.isPresent()) {
                    Tally tally = tallies.computeIfAbsent(family.get(), found -> new Tally());
                    tally.keys++;
                    if (tally.chosen < SAMPLE) {
                        tally.chosen++;
                        chosen.put(name, tally);
                    }
                } else {
                    undeclared++;
                    if (examples.size() < EXAMPLES) {
                        examples.add(name);
                    }
                }
            }
            return chosen;
        }

        private void weigh(RedisClusterAsyncCommands<String, String> node, Map<String, Tally> chosen) {
            List<RedisFuture<Long>> asked =
                    chosen.keySet().stream().map(node::memoryUsage).toList();
            int next = 0;
            for (Tally tally : chosen.values()) {
                // A key that is gone by now has no weight, and none to stand for.
                Waiting.value(asked.get(next++), left()).ifPresent(tally::weighed);
            }
        }

        private Duration left() {
            return Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
        }
    }

    /** A family on one master. */
    private static final class Tally {
        private long keys;
        private int chosen;
        private long weighed;
        private long bytes;

        void weighed(long weight) {
            weighed++;
            bytes += weight;
        }

        Count count() {
            return new Count(keys, weighed == 0 ? 0 : Math.round((double) bytes / weighed * keys), weighed);
        }
    }
}
