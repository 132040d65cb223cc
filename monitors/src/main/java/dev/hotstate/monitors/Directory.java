package dev.hotstate.monitors;

import dev.hotstate.core.Follower;
import dev.hotstate.store.Database;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All live definitions, in memory. What other instances change is seen within about a second, what this one changes at
 * once. While PostgreSQL does not answer, what is known stays, and {@link #age} grows.
 */
public final class Directory implements AutoCloseable {
    private final PostgresMonitors store;
    // Whoever reads or writes versions and takes them into memory does both under it, so that an older one never comes
    // after. It is taken before a connection is, so at most one of the pool's waits for the lock of the versions.
    private final Lock turn = new ReentrantLock();
    private final Map<String, Definition> byId = new ConcurrentHashMap<>();
    private final Map<String, Definition> byPingKey = new ConcurrentHashMap<>();
    private final News news = new News();
    private final Follower follower = new Follower("definitions", this::sync);
    private volatile Roll roll = Roll.EMPTY;
    private volatile long version;
    private volatile long heardAt = System.nanoTime();

    /** Is told of each change. */
    @FunctionalInterface
    public interface Listener {
        /**
         * Called by one thread at a time, with at most one of each id, and with newer ones later. When it throws it is told
         * again, of these or of newer ones, a second later; so it may be told twice, and must not mind.
         */
        void changed(List<Definition> changedOrDeleted);
    }

    private Directory(PostgresMonitors store) {
        this.store = store;
    }

    /** Reads all definitions; {@link #follow} keeps to them from then on. */
    public static Directory load(Database database) {
        var directory = new Directory(new PostgresMonitors(database));
        directory.refresh();
        return directory;
    }

    /**
     * Looks for changes each second. The listener is told of all that is known first, since an instance may have stopped
     * between a change and what had to be done about it.
     */
    public void follow(Listener listener) {
        news.begin(listener, byId.values());
        follower.start();
    }

    public Optional<Definition> find(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    public Optional<Definition> byPingKey(String key) {
        return Optional.ofNullable(byPingKey.get(key));
    }

    /**
     * The definition as it is at that version or later, empty if it is deleted by then. Asks PostgreSQL only if this
     * instance has not come so far.
     *
     * @throws dev.hotstate.store.StoreUnavailableException if it must ask and gets no answer
     */
    public Optional<Definition> require(String id, long atLeast) {
        if (version < atLeast) {
            refresh();
            follower.nudge();
        }
        return find(id);
    }

    /**
     * Those that match, by name and then by id, of one moment. They are looked up as the stream is read, so one that is
     * cut short costs little.
     *
     * @param cursor where to go on, as {@link #cursor} gave it; null for the beginning
     * @throws IllegalArgumentException if it is no cursor
     */
    public Stream<Definition> select(Filter filter, @Nullable String cursor) {
        return roll.select(filter, cursor);
    }

    /** All that match, as they stand on the roll. */
    Stream<Roll.Line> lines(Filter filter) {
        return roll.lines(filter, null);
    }

    /** As {@link #select}, as a page of a list. */
    public Page page(Filter filter, @Nullable String cursor, int limit) {
        var items = select(filter, cursor).limit(limit + 1L).collect(Collectors.toCollection(ArrayList::new));
        if (items.size() <= limit) {
            return new Page(items, null);
        }
        var shown = items.subList(0, limit);
        return new Page(shown, cursor(shown.getLast()));
    }

    /** @param next where the next page begins; null if there is none */
    public record Page(List<Definition> items, @Nullable String next) {
        public Page {
            items = List.copyOf(items);
        }
    }

    /** The place after this one; it stays good when the definition is renamed or deleted. */
    public static String cursor(Definition last) {
        return Roll.cursor(last);
    }

    public int size() {
        return byId.size();
    }

    /** Those of the ids that no monitor has. */
    public Set<String> missing(Collection<String> ids) {
        return ids.stream()
                .filter(Predicate.not(byId::containsKey))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** All changes up to it are known here. */
    public long version() {
        return version;
    }

    /** How long ago PostgreSQL was last heard. */
    public Duration age() {
        return Duration.ofNanos(System.nanoTime() - heardAt);
    }

    /** Another instance says that there is something new. */
    public void nudge() {
        follower.nudge();
    }

    /**
     * Fetches what is new, and tells the listener of it, in this thread.
     *
     * @throws RuntimeException of PostgreSQL or the listener; what could not be fetched or told is so later
     */
    public void sync() {
        try {
            refresh();
        } finally {
            news.tell();
        }
    }

    @Override
    public void close() {
        follower.close();
    }

    /** What a writer wants to have written, and its answer. */
    record Written<R>(List<Definition> definitions, R answer) {}

    /**
     * Writes what the work makes of the current state. While it decides, this memory is what PostgreSQL has, and no writer
     * of any instance can change it.
     *
     * @param work is given the last version that is taken
     */
    <R> R write(Function<Long, Written<R>> work) {
        R answer = locked(() -> {
            Written<R> written = store.write(writing -> {
                catchUp(writing.mark(), known -> store.since(writing.handle(), known));
                Written<R> wanted = work.apply(writing.mark().last());
                if (!wanted.definitions().isEmpty()) {
                    writing.write(wanted.definitions());
                }
                return wanted;
            });
            accept(written.definitions());
            version = Math.max(version, newest(written.definitions()));
            return written.answer();
        });
        tellSoon();
        return answer;
    }

    Stream<Definition> all() {
        return byId.values().stream();
    }

    /** It is done whatever becomes of the telling; the follower tries again. */
    private void tellSoon() {
        try {
            news.tell();
        } catch (RuntimeException later) {
            follower.nudge();
        }
    }

    /** Fetches what is new without telling of it. */
    void refresh() {
        locked(() -> {
            catchUp(store.mark(), store::since);
            heardAt = System.nanoTime();
            return version;
        });
    }

    private <R> R locked(Supplier<R> work) {
        turn.lock();
        try {
            return work.get();
        } finally {
            turn.unlock();
        }
    }

    private void catchUp(PostgresVersion.Mark mark, Function<Long, List<Definition>> since) {
        if (mark.last() == version) {
            return;
        }
        boolean continues = mark.continues(version);
        List<Definition> rows = since.apply(continues ? version : 0L);
        accept(continues ? rows : startOver(rows));
        // A row may be newer than the mark that was read before it; and versions come in order, so none is missed.
        version = Math.max(mark.last(), newest(rows));
    }

    private static long newest(List<Definition> definitions) {
        return definitions.stream().mapToLong(Definition::version).max().orElse(0);
    }

    /**
     * PostgreSQL was restored from a copy, or this instance was away for so long that deletions were purged meanwhile: what
     * it does not have any more is deleted.
     */
    private List<Definition> startOver(List<Definition> rows) {
        var present = rows.stream().map(Definition::id).collect(Collectors.toSet());
        var changes = new ArrayList<>(rows);
        byId.values().stream()
                .filter(known -> !present.contains(known.id()))
                .map(Definition::asDeleted)
                .forEach(changes::add);
        return changes;
    }

    private void accept(List<Definition> changes) {
        if (changes.isEmpty()) {
            return;
        }
        for (Definition change : changes) {
            Definition known = change.deleted() ? byId.remove(change.id()) : byId.put(change.id(), change);
            if (known != null) {
                byPingKey.remove(known.pingKey());
            }
            if (!change.deleted()) {
                byPingKey.put(change.pingKey(), change);
            }
        }
        roll = roll.with(changes);
        news.add(changes);
    }
}
