package dev.hotstate.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices when Redis lost a partition, and has it rebuilt.
 *
 * <p>Each partition has an incarnation: a number that Redis and the {@link Ledger} must agree on, and a beat that never
 * goes back. A watcher looks at every partition twice a second. It is lost when its hash is gone (flushed, replaced, an
 * empty master), when its beat went back (an old copy), or when another process answers for it (a restart, a failover to
 * a replica that may have lagged), unless the slot was moved from a master that still lives. Then the ledger begins the
 * next incarnation, one instance takes its rebuild, and until that is complete every mutating script answers REBUILDING.
 *
 * <p>A beat is good for two seconds, so that scripts refuse an old copy by themselves, before anyone has looked at it.
 */
public final class Incarnations implements Passes, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Incarnations.class);

    static final Script<Reply> BEAT =
            Script.of(Incarnations.class, "beat", List.of("incarnation"), Function.identity());
    static final Script<Reply> OPEN = Script.of(Incarnations.class, "open", List.of("incarnation"), Function.identity())
            .repeatable();
    static final Script<Reply> READY =
            Script.of(Incarnations.class, "ready", List.of("incarnation"), Function.identity());

    private final Redis redis;
    private final Ledger ledger;
    private final Options options;
    private final Consumer<State> onChange;
    private final Map<Partition, Watch> watches = new ConcurrentHashMap<>();
    private final Map<String, Set<Partition>> enrolled = new HashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean syncing;

    /**
     * @param instance this process's name, unlike any other's
     * @param look how often each partition is looked at
     * @param hold how long a beat admits scripts
     * @param rebuildLease how long a rebuilder may be silent before another takes over
     */
    public record Options(String instance, Duration look, Duration hold, Duration rebuildLease) {
        public static Options of(String instance) {
            return new Options(instance, Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(10));
        }

        /** As scripts take it. */
        String holdMicros() {
            return Long.toString(hold.toNanos() / 1000);
        }
    }

    /** How a partition is: ready or being rebuilt, how many entries the rebuild has loaded, and why it was needed. */
    public record State(
            String feature, Partition partition, long incarnation, boolean ready, long rebuilt, String reason) {}

    /** @param onChange told when a partition is found lost and when it is ready again; must not block */
    public Incarnations(Redis redis, Ledger ledger, Options options, Consumer<State> onChange) {
        this.redis = redis;
        this.ledger = ledger;
        this.options = options;
        this.onChange = onChange;
    }

    /**
     * Watches a feature's partitions from now on, and rebuilds them when they need it, the first time included.
     *
     * @throws HotstateException where other instances use another number of partitions
     */
    public synchronized void watch(String feature, List<Partition> partitions, Rebuild rebuild) {
        for (Partition partition : partitions) {
            Watch other = watches.get(partition);
            if (other != null) {
                throw new IllegalArgumentException(
                        partition + " of " + feature + " is a partition of " + other.feature() + " already");
            }
        }
        ledger.enroll(feature, partitions, options.instance());
        List<Ledger.Entry> entries = ledger.entries(List.of(feature));
        enrolled.put(feature, Set.copyOf(partitions));
        String owner = ledger.identity();
        for (Ledger.Entry entry : entries) {
            Watch watch = new Watch(redis, ledger, options, onChange, rebuild, entry, owner);
            watches.put(entry.partition(), watch);
            start("incarnation-" + entry.partition().tag(), watch::look);
        }
        if (!syncing) {
            syncing = true;
            start("incarnation-ledger", this::syncWithLedger);
        }
    }

    @Override
    public Pass of(Partition partition) {
        Watch watch = watches.get(partition);
        if (watch == null) {
            throw new IllegalArgumentException(partition + " is not a partition of any feature here");
        }
        return watch.pass();
    }

    /** Every partition, in the order of feature and tag. */
    public List<State> states() {
        return watches.values().stream()
                .map(Watch::state)
                .sorted(Comparator.comparing(State::feature)
                        .thenComparing(state -> state.partition().tag()))
                .toList();
    }

    public boolean allReady() {
        return watches.values().stream().allMatch(watch -> watch.state().ready());
    }

    /** Ends what is under way; a step that does not end by itself within a second is interrupted. */
    @Override
    public synchronized void close() {
        closed.countDown();
        long patience = System.nanoTime() + Duration.ofSeconds(1).toNanos();
        for (Thread thread : threads) {
            try {
                if (!thread.join(Duration.ofNanos(patience - System.nanoTime()))) {
                    thread.interrupt();
                }
            } catch (InterruptedException hurried) {
                threads.forEach(Thread::interrupt);
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Tells the ledger what was seen, and the watches what the ledger says. */
    private void syncWithLedger() {
        Map<String, Set<Partition>> mine;
        synchronized (this) {
            mine = Map.copyOf(enrolled);
        }
        List<String> features = List.copyOf(mine.keySet());
        ledger.heartbeat(options.instance(), features);
        ledger.beats(watches.values().stream()
                .map(Watch::lastBeat)
                .flatMap(Optional::stream)
                .toList());
        Map<Partition, Ledger.Entry> latest = new HashMap<>();
        ledger.entries(features).forEach(entry -> latest.put(entry.partition(), entry));
        mine.forEach((feature, partitions) -> requireStillOurs(feature, partitions, latest.values()));
        watches.forEach((partition, watch) -> {
            Ledger.Entry entry = latest.get(partition);
            if (entry != null) {
                watch.learn(entry);
            } else if (watch.isRetired()) {
                watch.stop();
                watches.remove(partition);
            }
        });
    }

    /** An instance that was silent for long may find its feature spread over other partitions: it must not act on it. */
    private void requireStillOurs(String feature, Set<Partition> partitions, Collection<Ledger.Entry> latest) {
        Set<Partition> now = latest.stream()
                .filter(entry -> entry.feature().equals(feature) && !entry.retired())
                .map(Ledger.Entry::partition)
                .collect(Collectors.toSet());
        if (!now.equals(partitions)) {
            log.error("{} has other partitions now, {}; this instance must be restarted with them", feature, now);
            watches.values().stream()
                    .filter(watch -> watch.feature().equals(feature) && !watch.isRetired())
                    .forEach(Watch::stop);
        }
    }

    private void start(String name, Runnable step) {
        threads.add(Thread.ofVirtual().name(name).start(() -> repeat(step)));
    }

    private void repeat(Runnable step) {
        boolean broken = false;
        try {
            do {
                try {
                    step.run();
                    broken = false;
                } catch (RuntimeException failed) {
                    log.debug("{}: {}", Thread.currentThread().getName(), Causes.sentence(failed));
                } catch (Error failed) {
                    // An instance that looked no more would hear neither of a loss nor that all is well again.
                    if (!broken) {
                        log.error(
                                "{} has failed, and goes on",
                                Thread.currentThread().getName(),
                                failed);
                    }
                    broken = true;
                }
            } while (!closed.await(options.look().toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
