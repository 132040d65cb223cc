package dev.hotstate.monitors;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.Agenda.Claimed;
import dev.hotstate.core.Due;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.monitors.check.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims what is due and has it checked, each check on a virtual thread of its own. Any number of instances do so side by
 * side. A claim is a lease that is extended while its check is under way; an instance that dies extends nothing, and its
 * checks are claimed by others when their leases end.
 */
final class Runner implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Runner.class);

    private static final int MOST_A_CLAIM = 200;
    private static final Duration HEARTBEAT = RedisOutcomes.LEASE.dividedBy(3);

    /** Between two claims: what becomes due in that time is claimed together. */
    private static final Duration GATHER = Duration.ofMillis(20);

    /** Somebody else may put something on the schedule that is due before what was there. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(250);

    private static final Duration HOST_PATIENCE = Duration.ofMillis(250);

    private final Agenda agenda;
    private final RedisLive live;
    private final Directory directory;
    private final Checks checks;
    private final Hosts hosts;
    private final int places;
    private final Semaphore free;
    private final Set<Claim> held = ConcurrentHashMap.newKeySet();
    private final CatchUp catchUp = new CatchUp();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();

    /**
     * @param places checks under way at once
     * @param hosts which bounds those of one host
     */
    Runner(Agenda agenda, RedisLive live, Directory directory, Checks checks, int places, Hosts hosts) {
        this.agenda = agenda;
        this.live = live;
        this.directory = directory;
        this.checks = checks;
        this.hosts = hosts;
        this.places = places;
        this.free = new Semaphore(places);
    }

    void start(List<Partition> partitions) {
        partitions.forEach(partition -> threads.add(
                Thread.ofVirtual().name("monitors-" + partition.tag()).start(() -> run(partition))));
        threads.add(Thread.ofVirtual().name("monitors-heartbeat").start(this::beat));
    }

    int underWay() {
        return places - free.availablePermits();
    }

    /** Claims no more, and hands back what has not ended within a moment: it is due for others at once. */
    @Override
    public void close() {
        closed.countDown();
        threads.forEach(Thread::interrupt);
        try {
            free.tryAcquire(places, 2, TimeUnit.SECONDS);
            List<Claim> unfinished = List.copyOf(held);
            for (int from = 0; from < unfinished.size(); from += Agenda.MAX_BATCH) {
                agenda.release(unfinished.subList(from, Math.min(from + Agenda.MAX_BATCH, unfinished.size())));
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } catch (HotstateException away) {
            log.debug("checks under way are left to their leases: {}", away.getMessage());
        }
    }

    private void run(Partition partition) {
        try {
            Duration wait = Duration.ZERO;
            while (!closed.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
                wait = step(partition);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Takes what is due, as far as there are places for it; answers how long to wait before the next look. */
    private Duration step(Partition partition) throws InterruptedException {
        if (!free.tryAcquire(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
            return Duration.ZERO;
        }
        int mine = 1 + drain(MOST_A_CLAIM - 1);
        int begun = 0;
        try {
            Claimed claimed = agenda.claim(partition, mine, RedisOutcomes.LEASE);
            long claimedAt = System.nanoTime();
            catchUp.claimed(claimedAt);
            if (claimed.claims().isEmpty()) {
                return claimed.nextDue()
                        .filter(due -> due.compareTo(LONGEST_WAIT) < 0)
                        .orElse(LONGEST_WAIT);
            }
            // From here on its lease is extended: not earlier, for what nobody begins must come back by itself.
            for (Turn turn : turns(partition, claimed, claimedAt)) {
                held.add(turn.claim());
                begun++;
                Thread.ofVirtual().name("check-" + turn.claim().id()).start(() -> perform(turn));
            }
            return claimed.claims().size() == mine ? Duration.ZERO : GATHER;
        } catch (HotstateException notNow) {
            log.debug("{} waits: {}", partition, notNow.getMessage());
            return LONGEST_WAIT;
        } catch (RuntimeException mistaken) {
            log.warn("{} waits", partition, mistaken);
            return LONGEST_WAIT;
        } finally {
            free.release(mine - begun);
        }
    }

    private int drain(int most) {
        int taken = 0;
        while (taken < most && free.tryAcquire()) {
            taken++;
        }
        return taken;
    }

    /**
     * A claimed monitor whose turn it is.
     *
     * @param version of its definition that the schedule follows; null where it is not placed
     * @param claimedNanos when it was claimed, by this process
     */
    private record Turn(
            Claim claim,
            Instant claimedAt,
            long claimedNanos,
            @Nullable Long version) {
        Duration lag() {
            return Duration.between(claim.due(), claimedAt).plusNanos(System.nanoTime() - claimedNanos);
        }
    }

    private List<Turn> turns(Partition partition, Claimed claimed, long claimedNanos) {
        List<Claim> claims = claimed.claims();
        List<@Nullable Long> versions =
                live.versions(partition, claims.stream().map(Claim::id).toList());
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            turns.add(new Turn(claims.get(i), claimed.now().orElseThrow(), claimedNanos, versions.get(i)));
        }
        return turns;
    }

    private void perform(Turn turn) {
        try {
            Long version = turn.version();
            Optional<Definition> definition = version == null
                    ? directory.find(turn.claim().id())
                    : directory.require(turn.claim().id(), version);
            if (definition.isEmpty()) {
                agenda.done(List.of(turn.claim()));
                return;
            }
            Monitor monitor = definition.get().monitor();
            if (monitor.paused()) {
                agenda.done(List.of(turn.claim()));
            } else if (missedForLong(monitor, turn)) {
                put(turn.claim(), Duration.ofMillis(CatchUp.spread(monitor)));
            } else {
                check(monitor, turn);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (CancellationException stopped) {
            log.debug("{} was given up", turn.claim().id());
        } catch (HotstateException notNow) {
            // Its lease ends, and whoever claims it then checks it again.
            log.debug("{} is left to its lease: {}", turn.claim().id(), notNow.getMessage());
        } catch (RuntimeException mistaken) {
            log.warn("{} is left to its lease", turn.claim().id(), mistaken);
        } finally {
            held.remove(turn.claim());
            free.release();
        }
    }

    private void check(Monitor monitor, Turn turn) throws InterruptedException {
        Monitor.Push push = monitor.push();
        if (push != null) {
            judge(monitor, push, turn);
            return;
        }
        String host = monitor.check().host();
        if (!hosts.enter(host, HOST_PATIENCE)) {
            checks.postponed();
            put(turn.claim(), Duration.ofMillis(ThreadLocalRandom.current().nextLong(500, 1_500)));
            return;
        }
        Duration lag = turn.lag();
        Outcome outcome;
        try {
            outcome = checks.ask(monitor);
        } finally {
            hosts.leave(host);
        }
        checks.record(monitor, turn.claim(), turn.claimedAt(), outcome, lag, null);
    }

    /**
     * A push monitor's time has come. Where nobody was there to hear its job, it gets its grace once more; and the end of
     * a lease is not its time.
     */
    private void judge(Monitor monitor, Monitor.Push push, Turn turn) {
        if (catchUp.isUnderWay() && turn.lag().compareTo(CatchUp.GAP) > 0) {
            put(turn.claim(), push.grace());
            return;
        }
        if (turn.claim().lapsed()) {
            Instant deadline = checks.deadline(monitor, push, turn.claimedAt());
            if (deadline.isAfter(turn.claimedAt())) {
                agenda.reschedule(Map.of(turn.claim(), Due.at(deadline)));
                return;
            }
        }
        checks.missed(monitor, turn.claim(), turn.claimedAt(), turn.lag());
    }

    /** More than a whole interval was missed, since nobody was there. A lease that ran out is not that. */
    private boolean missedForLong(Monitor monitor, Turn turn) {
        Duration late = Duration.between(turn.claim().due(), turn.claimedAt());
        return catchUp.isUnderWay()
                && !turn.claim().lapsed()
                && monitor.push() == null
                && late.compareTo(monitor.interval()) > 0;
    }

    private void put(Claim claim, Duration later) {
        agenda.reschedule(Map.of(claim, Due.in(later)));
    }

    private void beat() {
        try {
            while (!closed.await(HEARTBEAT.toMillis(), TimeUnit.MILLISECONDS)) {
                extend(List.copyOf(held));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void extend(List<Claim> claims) {
        try {
            for (int from = 0; from < claims.size(); from += Agenda.MAX_BATCH) {
                agenda.extend(
                        claims.subList(from, Math.min(from + Agenda.MAX_BATCH, claims.size())), RedisOutcomes.LEASE);
            }
        } catch (HotstateException notNow) {
            log.debug("leases are not extended: {}", notNow.getMessage());
        }
    }
}
