package dev.hotstate.monitors;

import dev.hotstate.core.Flaws;
import dev.hotstate.core.Follower;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The door to maintenance windows. All of them are in memory; what other instances change is seen within about a second,
 * what this one changes at once. While PostgreSQL does not answer, what is known stays, and {@link #age} grows.
 */
public final class Maintenance implements AutoCloseable {
    /** The most windows that are to come, or come again. */
    public static final int MOST = 1_000;

    private static final Duration KEPT = Duration.ofDays(30);

    private final PostgresWindows store;
    private final InstantSource clock;
    private final Function<Collection<String>, Set<String>> missingMonitors;
    private final Lock turn = new ReentrantLock();
    private final Follower follower = new Follower("windows", this::sync);
    private volatile Known known = new Known(-1, new Timetable(List.of()));
    private volatile long heardAt = System.nanoTime();

    private record Known(long version, Timetable timetable) {}

    private Maintenance(
            Database database, InstantSource clock, Function<Collection<String>, Set<String>> missingMonitors) {
        this.store = new PostgresWindows(database);
        this.clock = clock;
        this.missingMonitors = missingMonitors;
    }

    /**
     * Reads all windows; {@link #follow} keeps to them from then on.
     *
     * @param missingMonitors answers which of these ids are of no monitor
     */
    public static Maintenance load(
            Database database, InstantSource clock, Function<Collection<String>, Set<String>> missingMonitors) {
        var maintenance = new Maintenance(database, clock, missingMonitors);
        maintenance.sync();
        return maintenance;
    }

    /** Looks for changes each second. */
    public void follow() {
        follower.start();
    }

    /** Whether a window that is open then is for the monitor. */
    public boolean covers(Monitor monitor, Instant at) {
        return known.timetable().openAt(at).stream().anyMatch(window -> window.concerns(monitor));
    }

    /** The ids of those that {@link #covers} holds for. */
    public Set<String> covered(Collection<Monitor> monitors, Instant at) {
        var open = known.timetable().openAt(at);
        return open.isEmpty()
                ? Set.of()
                : monitors.stream()
                        .filter(monitor -> open.stream().anyMatch(window -> window.concerns(monitor)))
                        .map(Monitor::id)
                        .collect(Collectors.toSet());
    }

    /** The first time after that instant at which a window opens or closes; empty if none will. */
    public Optional<Instant> nextChange(Instant after) {
        return known.timetable().nextChange(after);
    }

    /** In the order in which they were made, those that have ended for up to 30 days. */
    public List<Window> list() {
        return known.timetable().windows();
    }

    public Optional<Window> find(String id) {
        return list().stream().filter(window -> window.id().equals(id)).findFirst();
    }

    /** Whether it is open now. */
    public boolean isOpen(Window window) {
        return window.schedule().isOpen(clock.instant());
    }

    /**
     * False, with nothing changed, if there is a window of that id.
     *
     * @throws InvalidDocumentException if it has ended, or names no known monitor, or there are too many
     */
    public boolean create(Window window) {
        check(window);
        var now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        boolean created = store.insert(now, window, present -> {
            var coming = present.stream().filter(other -> isComing(other, now)).count();
            new Flaws()
                    .that(coming < MOST, "", "there are " + MOST + " windows to come, and no more are kept")
                    .refuse();
        });
        sync();
        return created;
    }

    /** Whether there was one. */
    public boolean delete(String id) {
        boolean deleted = store.delete(id);
        sync();
        return deleted;
    }

    /** Forgets windows that ended more than 30 days ago. */
    public int purge() {
        return store.purge(clock.instant().minus(KEPT));
    }

    /** How long ago PostgreSQL was last heard. */
    public Duration age() {
        return Duration.ofNanos(System.nanoTime() - heardAt);
    }

    /** Another instance says that there is something new. */
    public void nudge() {
        follower.nudge();
    }

    /** Fetches what is new, in this thread. */
    public void sync() {
        turn.lock();
        try {
            if (store.version() != known.version()) {
                var newest = store.newest();
                known = new Known(newest.version(), new Timetable(newest.windows()));
            }
            heardAt = System.nanoTime();
        } finally {
            turn.unlock();
        }
    }

    @Override
    public void close() {
        follower.close();
    }

    private void check(Window window) {
        var flaws = new Flaws().that(isComing(window, clock.instant()), "ends_at", "must be in the future");
        var missing = missingMonitors.apply(window.monitors());
        for (int i = 0; i < window.monitors().size(); i++) {
            String id = window.monitors().get(i);
            flaws.that(!missing.contains(id), "ids[" + i + "]", "there is no monitor \"" + id + "\"");
        }
        flaws.refuse();
    }

    private static boolean isComing(Window window, Instant now) {
        return window.schedule().isOpen(now)
                || window.schedule().nextChange(now).isPresent();
    }
}
