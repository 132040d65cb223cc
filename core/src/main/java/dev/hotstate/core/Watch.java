package dev.hotstate.core;

import dev.hotstate.core.Incarnations.Options;
import dev.hotstate.core.Incarnations.State;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at one partition: lets it beat while it is whole, declares it lost when it is not. */
final class Watch {
    private static final Logger log = LoggerFactory.getLogger(Watch.class);

    private final Redis redis;
    private final Ledger ledger;
    private final Options options;
    private final Consumer<State> onChange;
    private final Rebuilder rebuilder;
    private final Key incarnation;
    private final String owner;
    private volatile Ledger.Entry entry;
    private volatile boolean admitted;
    private volatile long lastBeat;
    private volatile boolean over;

    /** Why the rebuild does not go on; empty while it does. */
    private volatile String hindrance = "";

    Watch(
            Redis redis,
            Ledger ledger,
            Options options,
            Consumer<State> onChange,
            Rebuild rebuild,
            Ledger.Entry entry,
            String owner) {
        this.redis = redis;
        this.ledger = ledger;
        this.options = options;
        this.onChange = onChange;
        this.rebuilder = new Rebuilder(redis, ledger, options, rebuild, owner);
        this.owner = owner;
        this.entry = entry;
        this.incarnation = CoreKeys.INCARNATION.of(entry.partition());
    }

    void look() {
        Ledger.Entry current = entry;
        if (over) {
            setAdmitted(false);
            return;
        }
        if (current.ready()) {
            beat(current, false);
        } else {
            setAdmitted(false);
            takeRebuild(current);
        }
    }

    /** What the ledger says now; an answer that is older than what is known is passed over. */
    synchronized void learn(Ledger.Entry latest) {
        boolean older = latest.incarnation() < entry.incarnation()
                || latest.incarnation() == entry.incarnation() && entry.ready() && !latest.ready();
        if (older) {
            return;
        }
        if (latest.incarnation() > entry.incarnation()) {
            lastBeat = 0;
        }
        entry = latest;
    }

    Pass pass() {
        Ledger.Entry current = entry;
        if (over || !admitted || !current.ready()) {
            throw new RebuildingException(current.partition().tag());
        }
        return new Pass.Ready(current.incarnation());
    }

    String feature() {
        return entry.feature();
    }

    /** Looks no more, and admits nobody. */
    void stop() {
        over = true;
    }

    boolean isRetired() {
        return entry.retired();
    }

    /** The last beat seen of the current incarnation. */
    synchronized Optional<Ledger.Beat> lastBeat() {
        return lastBeat == 0
                ? Optional.empty()
                : Optional.of(new Ledger.Beat(entry.feature(), entry.partition(), entry.incarnation(), lastBeat));
    }

    State state() {
        Ledger.Entry current = entry;
        return new State(
                current.feature(),
                current.partition(),
                current.incarnation(),
                admitted && current.ready(),
                current.done(),
                hindrance.isEmpty() ? current.reason() : hindrance);
    }

    private void beat(Ledger.Entry current, boolean adopt) {
        long seen = Math.max(lastBeat, current.beat());
        Reply reply = Incarnations.BEAT.run(
                redis,
                List.of(incarnation),
                List.of(
                        Long.toString(current.incarnation()),
                        redis.scriptTime(),
                        Long.toString(seen),
                        options.holdMicros(),
                        adopt ? "1" : "0",
                        owner));
        switch (reply.word()) {
            case "BEATING" -> beating(current, reply.number(0));
            case "LOST" -> lost(current, 0, "Redis held nothing of it");
            case "BACK" -> lost(current, 0, "Redis held an old copy of it");
            case "OTHER" -> other(current, reply.text(0));
            case "STRANGER" -> {
                setAdmitted(false);
                hindered(Rebuilder.STRANGER);
            }
            default -> {
                boolean failedOver = reply.text(3).equals(reply.text(1));
                if (!failedOver && stillServes(reply.text(0))) {
                    beat(current, true);
                } else {
                    lost(current, 0, failedOver ? "its master failed over" : "its Redis was restarted or replaced");
                }
            }
        }
    }

    /** Most often another instance has noticed a loss before us; else Redis holds what the ledger never knew. */
    private void other(Ledger.Entry current, String held) {
        relearn();
        if (entry.incarnation() == current.incarnation()) {
            lost(current, Pass.parse(held).incarnation(), "Redis held incarnation " + held + " of it");
        }
    }

    private synchronized void beating(Ledger.Entry current, long beat) {
        if (entry.incarnation() == current.incarnation()) {
            lastBeat = beat;
            hindrance = "";
            setAdmitted(true);
        }
    }

    /** Whether a process still takes writes: then it gave the partition's slot away, and nothing was lost. */
    private boolean stillServes(String runId) {
        return redis.isCluster()
                && redis.masters().stream()
                        .anyMatch(
                                node -> runId.equals(redis.info(node, "server").get("run_id")));
    }

    private void lost(Ledger.Entry current, long atLeast, String reason) {
        if (setAdmitted(false)) {
            log.warn("{} {} is lost: {}", current.feature(), current.partition(), reason);
        }
        ledger.lose(current.feature(), current.partition(), current.incarnation(), atLeast, reason);
        relearn();
        takeRebuild(entry);
    }

    private void takeRebuild(Ledger.Entry current) {
        Optional<Ledger.Rebuilding> taken = ledger.claim(
                current.feature(),
                current.partition(),
                current.incarnation(),
                options.instance(),
                options.rebuildLease());
        if (taken.isPresent()) {
            try {
                over |= rebuilder.rebuild(taken.get()) == Rebuilder.Outcome.WIPED;
            } catch (RuntimeException | Error failed) {
                hindered("its rebuild failed and is tried again when its lease has ended: " + Causes.sentence(failed));
                return;
            }
            relearn();
            if (entry.ready()) {
                beat(entry, false);
            }
        }
    }

    /** Told once, and shown for as long as it lasts. */
    private void hindered(String why) {
        if (!why.equals(hindrance)) {
            log.warn("{} {} is not whole: {}", entry.feature(), entry.partition(), why);
            hindrance = why;
        }
    }

    private void relearn() {
        ledger.entries(List.of(entry.feature())).stream()
                .filter(latest -> latest.partition().equals(entry.partition()))
                .forEach(this::learn);
    }

    /** Answers whether that is news. */
    private boolean setAdmitted(boolean now) {
        boolean before = admitted;
        admitted = now;
        if (before != now) {
            onChange.accept(state());
        }
        return before != now;
    }
}
