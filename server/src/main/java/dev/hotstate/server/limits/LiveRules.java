package dev.hotstate.server.limits;

import dev.hotstate.limits.RuleSource;
import dev.hotstate.limits.Rules;
import dev.hotstate.server.http.Problem;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules in force, in memory. PostgreSQL is asked for their version twice a second, and sooner when another instance
 * says that it changed them; while it does not answer, the last known rules stay.
 */
final class LiveRules implements RuleSource, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LiveRules.class);
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final long OLD = Duration.ofSeconds(5).toNanos();

    private final PostgresRules store;
    private final InstantSource clock;
    // Whoever reads a version and makes it the live one does both under it, so that an older one never comes after.
    private final Lock turn = new ReentrantLock();
    private final Semaphore hurry = new Semaphore(0);
    private final Thread follower;
    private volatile Known known;
    private volatile long seenAt = System.nanoTime();
    // An outage is logged once, not at every look.
    private boolean failing;

    private record Known(RuleSet set, Rules live) {
        static Known of(RuleSet set) {
            return new Known(set, set.live());
        }
    }

    /** What an apply did, or would do. */
    record Applied(RuleSet inForce, RuleSet wanted, RuleDiff diff) {}

    private LiveRules(PostgresRules store, InstantSource clock) {
        this.store = store;
        this.clock = clock;
        this.known = Known.of(store.newest());
        this.follower = Thread.ofVirtual().name("limits-rules").unstarted(this::run);
    }

    /** Reads the rules once; {@link #follow} keeps to them from then on. */
    static LiveRules load(PostgresRules store, InstantSource clock, MeterRegistry meters) {
        var rules = new LiveRules(store, clock);
        Gauge.builder("hotstate.limits.rules.version", rules, live -> live.set().version())
                .description("The version of the rules that this instance follows.")
                .register(meters);
        Gauge.builder(
                        "hotstate.limits.rules",
                        rules,
                        live -> live.set().documents().size())
                .description("How many rules there are.")
                .register(meters);
        return rules;
    }

    void follow() {
        follower.start();
    }

    @Override
    public Rules current() {
        return known.live();
    }

    RuleSet set() {
        return known.set();
    }

    Optional<RuleSet> find(long version) {
        return store.find(version);
    }

    /** Whether PostgreSQL was heard of within the last five seconds. */
    boolean isFresh() {
        return System.nanoTime() - seenAt < OLD;
    }

    /** Another instance says that there is something new. */
    void lookSoon() {
        hurry.release();
    }

    /**
     * Puts these rules in the place of all others; they are live here when it returns.
     *
     * @param expected the version that must be in force
     * @throws Problem 412 when another one is, and nothing was changed
     */
    Applied apply(List<RuleDocument> wanted, OptionalLong expected, String by) {
        var before = new RuleSet[1];
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        var after = store.replace(newest -> {
            refuseOther(newest, expected);
            before[0] = newest;
            return newest.followedBy(wanted, now, by);
        });
        goLive(after);
        return new Applied(after, after, RuleDiff.between(before[0], after));
    }

    /** What {@link #apply} would do. */
    Applied tryOut(List<RuleDocument> wanted, OptionalLong expected, String by) {
        var newest = store.newest();
        refuseOther(newest, expected);
        var after = newest.followedBy(wanted, clock.instant(), by);
        return new Applied(newest, after, RuleDiff.between(newest, after));
    }

    @Override
    public void close() {
        follower.interrupt();
        try {
            follower.join(Duration.ofSeconds(1));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static void refuseOther(RuleSet newest, OptionalLong expected) {
        if (expected.isPresent() && expected.getAsLong() != newest.version()) {
            throw new Problem(
                    412,
                    "stale-version",
                    "The rules are at version " + newest.version() + " by now, not " + expected.getAsLong()
                            + "; nothing was changed.",
                    List.of());
        }
    }

    private void run() {
        try {
            while (true) {
                hurry.tryAcquire(EVERY.toMillis(), TimeUnit.MILLISECONDS);
                hurry.drainPermits();
                look();
            }
        } catch (InterruptedException closed) {
            // The end.
        }
    }

    private void look() {
        try {
            if (store.version() != set().version()) {
                catchUp();
            }
            seenAt = System.nanoTime();
            failing = false;
        } catch (RuntimeException failed) {
            if (!failing) {
                LOG.warn(
                        "The rules of limits cannot be read, those of version {} stay: {}",
                        set().version(),
                        failed.getMessage());
            }
            failing = true;
        }
    }

    /** Goes to whatever is the newest, also when that is an older one: PostgreSQL was restored from a copy. */
    private void catchUp() {
        turn.lock();
        try {
            known = Known.of(store.newest());
            LOG.info("The rules of limits are at version {}", set().version());
        } finally {
            turn.unlock();
        }
    }

    private void goLive(RuleSet written) {
        turn.lock();
        try {
            if (written.version() > set().version()) {
                known = Known.of(written);
            }
        } finally {
            turn.unlock();
        }
    }
}
