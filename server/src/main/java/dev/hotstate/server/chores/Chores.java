package dev.hotstate.server.chores;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.Agenda.Claim;
import dev.hotstate.core.Due;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Rebuild;
import dev.hotstate.core.Service;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Chore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the server's chores, its features' among them, from an agenda that all instances share. */
public final class Chores implements AutoCloseable {
    /** The keys they are kept under. */
    public static final Service KEYS = ChoreKeys.SERVICE;

    private static final Logger LOG = LoggerFactory.getLogger(Chores.class);
    private static final Duration LEASE = Duration.ofMinutes(1);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    private static final Partition PARTITION = Partition.spread("s", 1).getFirst();

    private final Agenda agenda;
    private final Map<String, Chore> chores;
    private final Duration lease;
    private boolean scheduled;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("chores").unstarted(this::run);

    private Chores(Agenda agenda, List<Chore> chores, Duration lease) {
        this.agenda = agenda;
        this.lease = lease;
        this.chores = chores.stream().collect(Collectors.toMap(Chore::name, Function.identity()));
    }

    /** @param chores all that there are; every instance has the same */
    public static Chores start(Backbone backbone, List<Chore> chores) {
        return start(backbone, chores, LEASE);
    }

    /** @param lease how long a chore stays with an instance that died; one that lives extends it */
    static Chores start(Backbone backbone, List<Chore> chores, Duration lease) {
        var agenda = new Agenda(backbone.redis(), backbone.incarnations(), ChoreKeys.SCHEDULE, ChoreKeys.FENCES);
        var loop = new Chores(agenda, chores, lease);
        backbone.incarnations().watch("server", List.of(PARTITION), loop::load);
        loop.thread.start();
        return loop;
    }

    /** There are few chores and the program knows them all, so one page brings them back. */
    private Rebuild.Page load(Partition partition, Pass pass, @Nullable String cursor) {
        agenda.under(pass).put(partition, allDueNow());
        return Rebuild.Page.last(chores.size());
    }

    private Map<String, Due> allDueNow() {
        return chores.keySet().stream().collect(Collectors.toMap(Function.identity(), name -> Due.now()));
    }

    private void run() {
        try {
            var wait = Duration.ZERO;
            while (!closed.await(wait.toNanos(), TimeUnit.NANOSECONDS)) {
                wait = step();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does what is due; answers how long to wait before the next look. */
    private Duration step() {
        try {
            scheduleOnce();
            var claimed = agenda.claim(PARTITION, chores.size(), lease);
            if (!claimed.claims().isEmpty()) {
                performAll(claimed.claims());
            }
            return claimed.nextDue()
                    .filter(due -> due.compareTo(LONGEST_WAIT) < 0)
                    .orElse(LONGEST_WAIT);
        } catch (HotstateException notNow) {
            LOG.debug("chores wait: {}", notNow.getMessage());
            return LONGEST_WAIT;
        } catch (RuntimeException mistaken) {
            LOG.warn("chores wait", mistaken);
            return LONGEST_WAIT;
        }
    }

    /** A whole partition is not rebuilt, so a chore that is new in this version would never get onto it. */
    private void scheduleOnce() {
        if (!scheduled) {
            agenda.putIfAbsent(PARTITION, allDueNow());
            scheduled = true;
        }
    }

    private void performAll(List<Claim> claims) {
        try (var hold = new Hold(agenda, claims, lease)) {
            for (var claim : claims) {
                if (closed.getCount() > 0) {
                    perform(claim, hold);
                }
            }
            if (!hold.rest().isEmpty()) {
                agenda.release(hold.rest());
            }
        }
    }

    private void perform(Claim claim, Hold hold) {
        var chore = chores.get(claim.id());
        if (chore == null) {
            hold.whileHeld(claim, () -> agenda.done(List.of(claim)));
        } else if (hold.whileHeld(claim, () -> work(chore))) {
            agenda.reschedule(Map.of(claim, Due.in(chore.every())));
        } else {
            LOG.warn("the chore {} was taken over by another instance", chore.name());
        }
    }

    private static void work(Chore chore) {
        try {
            chore.work().run();
        } catch (RuntimeException failed) {
            LOG.warn("the chore {} failed, and is tried again in its turn", chore.name(), failed);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(Duration.ofSeconds(2));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
