package dev.hotstate.monitors;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides about alerts that wait because their monitor depends on others. They wait while one of those is down, or would be
 * if it were not in maintenance. They go
 * out once all of those are known to have been up since the outage began, and the monitor has failed again after the
 * last of them recovered. A monitor that cannot tell how it is holds nothing back for longer than until it would be
 * stale.
 */
final class Holds {
    private static final int AT_ONCE = 1_000;

    private final PostgresIncidents incidents;
    private final Directory directory;
    private final Function<List<Monitor>, Map<String, Live>> look;
    private final InstantSource clock;
    private final Consumer<Incident> released;

    Holds(
            PostgresIncidents incidents,
            Directory directory,
            Function<List<Monitor>, Map<String, Live>> look,
            InstantSource clock,
            Consumer<Incident> released) {
        this.incidents = incidents;
        this.directory = directory;
        this.look = look;
        this.clock = clock;
        this.released = released;
    }

    /** Looks at every held incident; any instance may, also at once. */
    void decide() {
        List<Incident> held;
        long after = 0;
        do {
            held = incidents.held(after, AT_ONCE);
            if (!held.isEmpty()) {
                decide(held);
                after = held.getLast().id();
            }
        } while (held.size() == AT_ONCE);
    }

    private void decide(List<Incident> held) {
        Instant now = clock.instant();
        Situation situation = situation(held, now);
        incidents.cover(
                held.stream().filter(situation::isCovered).map(Incident::id).toList(), now);
        for (Incident incident : held) {
            if (situation.lets(incident) && incidents.release(incident.id(), now, situation.remindEvery(incident))) {
                released.accept(incident);
            }
        }
    }

    /** Everything that the decisions need, asked for once: a router may have a thousand children. */
    private Situation situation(List<Incident> held, Instant now) {
        Map<String, Monitor> children = new HashMap<>();
        Map<String, Monitor> parents = new HashMap<>();
        for (Incident incident : held) {
            find(incident.monitor().id()).ifPresent(child -> {
                children.put(child.id(), child);
                child.dependsOn()
                        .forEach(id -> find(id).filter(parent -> !parent.paused())
                                .ifPresent(parent -> parents.put(id, parent)));
            });
        }
        List<Monitor> all = Stream.concat(children.values().stream(), parents.values().stream())
                .distinct()
                .toList();
        return new Situation(
                children,
                parents,
                look.apply(all),
                Set.copyOf(incidents.monitorsInTrouble()),
                incidents.lastEnds(parents.keySet()),
                incidents.coveredUntil(held.stream().map(Incident::id).toList()),
                now);
    }

    private Optional<Monitor> find(String id) {
        return directory.find(id).map(Definition::monitor);
    }

    /**
     * @param lives of children and parents
     * @param inTrouble monitors with an open incident
     * @param recovered when the last incident of a parent ended
     * @param coveredUntil of incidents, when a parent was last seen to fail in its maintenance
     */
    private record Situation(
            Map<String, Monitor> children,
            Map<String, Monitor> parents,
            Map<String, Live> lives,
            Set<String> inTrouble,
            Map<String, Instant> recovered,
            Map<Long, Instant> coveredUntil,
            Instant now) {

        @Nullable
        Duration remindEvery(Incident incident) {
            Monitor child = children.get(incident.monitor().id());
            return child == null ? null : child.remindEvery();
        }

        boolean lets(Incident incident) {
            Monitor child = children.get(incident.monitor().id());
            if (child == null) {
                // Not heard of yet, or deleted: then its incident is abandoned.
                return false;
            }
            return failedSince(coveredUntil.get(incident.id()), incident)
                    && parents(child)
                            .allMatch(parent -> isKnownUp(parent, incident.startedAt())
                                    && failedSince(recovered.get(parent.id()), incident));
        }

        /** Whether a parent fails in its maintenance: it has no incident then, but its children fail all the same. */
        boolean isCovered(Incident incident) {
            Monitor child = children.get(incident.monitor().id());
            return child != null && parents(child).anyMatch(this::failsInMaintenance);
        }

        private Stream<Monitor> parents(Monitor child) {
            return child.dependsOn().stream().map(parents::get).filter(Objects::nonNull);
        }

        private boolean failsInMaintenance(Monitor parent) {
            Live live = lives.get(parent.id());
            return live != null
                    && live.state() == State.MAINTENANCE
                    && live.error() != null
                    && live.checkedAt() != null
                    && !now.isAfter(live.checkedAt().plus(parent.staleAfter(live.checkedAt())));
        }

        private boolean isKnownUp(Monitor parent, Instant since) {
            Live live = lives.get(parent.id());
            if (live == null
                    || inTrouble.contains(parent.id())
                    || live.state() == State.DOWN
                    || live.state() == State.DEGRADED
                    || failsInMaintenance(parent)) {
                return false;
            }
            boolean upSince = live.lastOkAt() != null && live.lastOkAt().isAfter(since);
            // A job that reports by itself cannot be asked; it would be down if it had missed its time.
            return upSince || parent.push() != null || now.isAfter(since.plus(parent.staleAfter(since)));
        }

        /** Whether the child has failed again after its parent recovered, if that was during its own outage. */
        private boolean failedSince(@Nullable Instant recovery, Incident incident) {
            if (recovery == null || recovery.isBefore(incident.startedAt())) {
                return true;
            }
            Live live = lives.get(incident.monitor().id());
            return live != null
                    && live.lastFailureAt() != null
                    && live.lastFailureAt().isAfter(recovery);
        }
    }
}
