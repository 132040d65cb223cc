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
import java.util.ArrayList;
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
    private boolean scheduled;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("chores").unstarted(this::run);

    private Chores(Agenda agenda, List<Chore> chores) {
        this.agenda = agenda;
        this.chores = chores.stream().collect(Collectors.toMap(Chore::name, Function.identity()));
    }

    /** @param chores all that there are; every instance has the same */
    public static Chores start(Backbone backbone, List<Chore> chores) {
        var agenda = new Agenda(backbone.redis(), backbone.incarnations(), ChoreKeys.SCHEDULE, ChoreKeys.FENCES);
        var loop = new Chores(agenda, chores);
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
            var claimed = agenda.claim(PARTITION, chores.size(), LEASE);
            var open = new ArrayList<>(claimed.claims());
            while (!open.isEmpty() && closed.getCount() > 0) {
                perform(open.removeFirst());
            }
            if (!open.isEmpty()) {
                agenda.release(open);
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

    private void perform(Claim claim) {
        var chore = chores.get(claim.id());
        if (chore == null) {
            agenda.done(List.of(claim));
            return;
        }
        try {
            chore.work().run();
        } catch (RuntimeException failed) {
            LOG.warn("the chore {} failed, and is tried again in its turn", chore.name(), failed);
        }
        agenda.reschedule(Map.of(claim, Due.in(chore.every())));
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
