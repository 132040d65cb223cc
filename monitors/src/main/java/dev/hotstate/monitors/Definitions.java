package dev.hotstate.monitors;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.monitors.Directory.Written;
import dev.hotstate.store.Database;
import dev.hotstate.store.MigrationSet;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The door to what is watched. Changes are in PostgreSQL and in this instance's {@link Directory} when a verb returns, and
 * the directory's listener was told of them unless it failed. Writers go one after the other over all instances.
 */
public final class Definitions {
    /** The most monitors in one apply. */
    public static final int MOST = 100_000;

    private static final Duration TOMBSTONES = Duration.ofDays(1);

    private final PostgresMonitors store;
    private final Directory directory;
    private final InstantSource clock;
    private final Function<Collection<String>, Set<String>> missingChannels;

    /** @param missingChannels answers which of these ids are of no channel */
    public Definitions(
            Database database,
            Directory directory,
            InstantSource clock,
            Function<Collection<String>, Set<String>> missingChannels) {
        this.store = new PostgresMonitors(database);
        this.directory = directory;
        this.clock = clock;
        this.missingChannels = missingChannels;
    }

    /** The tables of this module. */
    public static MigrationSet migrations() {
        return MigrationSet.of("monitors");
    }

    public Optional<Definition> find(String id) {
        return directory.find(id);
    }

    /**
     * Empty, with nothing changed, if there is a monitor of that id.
     *
     * @throws InvalidDocumentException if it depends on what does not exist, or on itself, or alerts no known channel
     */
    public Optional<Definition> create(Monitor monitor) {
        var missing = missingChannels(List.of(monitor));
        return write(changes -> {
            if (changes.find(monitor.id()).isPresent()) {
                return Optional.empty();
            }
            var created = changes.create(monitor, false);
            References.check(monitor, changes, missing);
            return Optional.of(created);
        });
    }

    /** Puts this in the place of the monitor of that id; empty if there is none. */
    public Optional<Definition> replace(Monitor monitor) {
        return update(monitor.id(), old -> monitor);
    }

    /**
     * Puts what the change makes of a monitor in its place; no other change comes between. Empty if there is none of that
     * id. A change to the same is none, and takes no version.
     *
     * @throws InvalidDocumentException as {@link #create}, or of the change itself
     */
    public Optional<Definition> update(String id, UnaryOperator<Monitor> change) {
        return changed(id, change, true);
    }

    /** Empty if there is none of that id. */
    public Optional<Definition> pause(String id) {
        return changed(id, monitor -> monitor.withPaused(true), false);
    }

    /** Empty if there is none of that id. */
    public Optional<Definition> resume(String id) {
        return changed(id, monitor -> monitor.withPaused(false), false);
    }

    /** Those that depended on it do so no more. Empty if there is none of that id. */
    public Optional<Definition> delete(String id) {
        return write(changes -> {
            var deleted = changes.find(id).map(changes::delete);
            changes.release();
            return deleted;
        });
    }

    /**
     * Makes the monitors of the list be as they are in it, all or none. Those that an earlier apply made and that are not
     * listed any more are deleted only if prune is asked for, and those made by hand never, listed before or not.
     *
     * @param dryRun whether only to tell what would be done
     * @throws InvalidDocumentException with all that is wrong with the list, each field with its place in it
     */
    public Applied apply(List<Monitor> monitors, boolean dryRun, boolean prune) {
        if (monitors.size() > MOST) {
            throw new InvalidDocumentException(
                    List.of(new Flaw("", "must be a list of at most " + MOST + " monitors, not " + monitors.size())));
        }
        var missing = missingChannels(monitors);
        return directory.write(last -> {
            var changes = new ChangeSet(directory, last, now());
            changes.apply(monitors, prune);
            References.check(monitors, changes, missing);
            changes.release();
            return new Written<>(dryRun ? List.of() : changes.written(), changes.applied());
        });
    }

    /** Forgets what was deleted more than a day ago; every instance has heard of it by then, or reads all anew. */
    public int purge() {
        return store.purge(now().minus(TOMBSTONES));
    }

    /** By which history knows those that are there. */
    Set<String> historyNames() {
        return store.historyNames();
    }

    private Optional<Definition> changed(String id, UnaryOperator<Monitor> change, boolean check) {
        return write(changes -> changes.find(id).map(known -> {
            var wanted = change.apply(known.monitor());
            new Flaws()
                    .that(wanted.id().equals(id), "id", "must stay \"" + id + "\"")
                    .refuse();
            var changed = changes.change(known, wanted, known.applied());
            if (check && changed != known) {
                References.check(wanted, changes, missingChannels(List.of(wanted)));
            }
            return changed;
        }));
    }

    private <R> R write(Function<ChangeSet, R> work) {
        return directory.write(last -> {
            var changes = new ChangeSet(directory, last, now());
            R answer = work.apply(changes);
            return new Written<>(changes.written(), answer);
        });
    }

    private Set<String> missingChannels(List<Monitor> monitors) {
        var named = monitors.stream()
                .flatMap(monitor -> monitor.alerts().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        return named.isEmpty() ? Set.of() : missingChannels.apply(named);
    }

    /** As PostgreSQL keeps it. */
    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MICROS);
    }
}
