package dev.hotstate.core;

import dev.hotstate.core.Incarnations.Options;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds a partition whose rebuild this instance holds: opens the incarnation in Redis, wipes what was left, loads it
 * page by page, makes it ready. Each step can be repeated, and each is refused once another has taken the rebuild.
 */
final class Rebuilder {
    private static final Logger log = LoggerFactory.getLogger(Rebuilder.class);

    static final Script<String> MARK = Script.of(Rebuilder.class, "mark", List.of("incarnation"), Reply::word)
            .repeatable();

    static final String STRANGER =
            "another installation, with another PostgreSQL, keeps its state in this Redis under the"
                    + " same prefix; give one of the two another prefix or another Redis";

    private static final Duration AGAIN = Duration.ofMillis(200);

    private final Redis redis;
    private final Ledger ledger;
    private final Options options;
    private final Rebuild feature;
    private final String owner;

    enum Outcome {
        /** The partition is ready. */
        READY,
        /** The partition was retired, and nothing is left of it. */
        WIPED,
        /** Another has the rebuild now, or Redis was lost once more. */
        NOT_OURS
    }

    Rebuilder(Redis redis, Ledger ledger, Options options, Rebuild feature, String owner) {
        this.redis = redis;
        this.ledger = ledger;
        this.options = options;
        this.feature = feature;
        this.owner = owner;
    }

    Outcome rebuild(Ledger.Rebuilding mine) {
        Ledger.Entry entry = mine.entry();
        Reply opened = Incarnations.OPEN.run(
                redis,
                List.of(incarnation(entry)),
                List.of(Long.toString(entry.incarnation()), Long.toString(mine.token()), redis.scriptTime(), owner));
        return switch (opened.word()) {
            case "READY" -> completed(mine);
            case "OPENED" -> build(mine, Optional.empty());
            case "STRANGER" -> throw new HotstateException(STRANGER);
            case "RESUMED" -> build(mine, Optional.of(opened.text(0)).filter(cursor -> !cursor.isEmpty()));
            default -> refused(entry, Pass.parse(opened.text(0)).incarnation());
        };
    }

    /** Where Redis is ahead of the ledger, a newer incarnation must begin above it; else another has the rebuild. */
    private Outcome refused(Ledger.Entry entry, long held) {
        if (held > entry.incarnation()) {
            ledger.lose(entry.feature(), entry.partition(), entry.incarnation(), held, "Redis was ahead of it");
        }
        return Outcome.NOT_OURS;
    }

    private Outcome build(Ledger.Rebuilding mine, Optional<String> cursor) {
        Ledger.Entry entry = mine.entry();
        long done = cursor.isPresent() ? entry.done() : 0;
        if (cursor.isEmpty()) {
            new Wipe(redis, entry.partition(), mine.pass()).run(() -> keep(mine, 0));
        }
        if (entry.retired()) {
            redis.write(incarnation(entry), (commands, key) -> commands.del(key));
            ledger.remove(mine);
            return Outcome.WIPED;
        }
        load(mine, cursor, done);
        return finish(mine);
    }

    private void load(Ledger.Rebuilding mine, Optional<String> cursor, long already) {
        Ledger.Entry entry = mine.entry();
        long done = already;
        Optional<String> next = cursor;
        do {
            Rebuild.Page page = page(mine, next);
            done += page.entries();
            next = page.next();
            next.ifPresent(at -> MARK.run(
                    redis, List.of(incarnation(entry)), List.of(mine.pass().toString(), redis.scriptTime(), at)));
            keep(mine, done);
        } while (next.isPresent());
    }

    /**
     * A Redis that does not answer for a moment costs a moment, and not the rest of the lease: a page may be loaded twice.
     * Half of the lease is left to whoever comes after a loss that lasts.
     */
    private Rebuild.Page page(Ledger.Rebuilding mine, Optional<String> cursor) {
        long patience = System.nanoTime() + options.rebuildLease().dividedBy(2).toNanos();
        while (true) {
            try {
                return feature.load(mine.entry().partition(), mine.pass(), cursor.orElse(null));
            } catch (RedisUnavailableException away) {
                if (Thread.currentThread().isInterrupted() || System.nanoTime() - patience > 0) {
                    throw away;
                }
                LockSupport.parkNanos(AGAIN.toNanos());
            }
        }
    }

    /** Holds on to the rebuild for another lease. */
    private void keep(Ledger.Rebuilding mine, long done) {
        if (!ledger.progress(mine, done, options.rebuildLease())) {
            throw new HotstateException("another instance has taken it");
        }
    }

    /** Redis first: if we die between the two, the next rebuilder finds it ready and completes the ledger. */
    private Outcome finish(Ledger.Rebuilding mine) {
        Reply reply = Incarnations.READY.run(
                redis,
                List.of(incarnation(mine.entry())),
                List.of(mine.pass().toString(), redis.scriptTime(), options.holdMicros()));
        return reply.word().equals("READY") ? completed(mine) : Outcome.NOT_OURS;
    }

    private Outcome completed(Ledger.Rebuilding mine) {
        if (!ledger.complete(mine)) {
            return Outcome.NOT_OURS;
        }
        Ledger.Entry entry = mine.entry();
        log.info("{} {} is ready: incarnation {}", entry.feature(), entry.partition(), entry.incarnation());
        return Outcome.READY;
    }

    private static Key incarnation(Ledger.Entry entry) {
        return CoreKeys.INCARNATION.of(entry.partition());
    }
}
