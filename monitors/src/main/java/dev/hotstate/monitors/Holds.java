package dev.hotstate.monitors;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Decides about alerts that wait because their monitor depends on others. They wait while one of those is down. They go
 * out once all of those are known to have been up since the outage began, and the monitor has failed again after the
 * last of them recovered. A monitor that cannot tell how it is holds nothing back for longer than until it would be
 * stale.
 */
final class Holds {
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
        Instant now = clock.instant();
        for (Incident incident : incidents.held()) {
            if (mayGo(incident, now) && incidents.release(incident.id(), now)) {
                released.accept(incident);
            }
        }
    }

    private boolean mayGo(Incident incident, Instant now) {
        Optional<Definition> definition = directory.find(incident.monitor().id());
        List<Monitor> parents = definition.map(Definition::monitor).map(Monitor::dependsOn).orElse(List.of()).stream()
                .flatMap(id -> directory.find(id).stream())
                .map(Definition::monitor)
                .filter(parent -> !parent.paused())
                .toList();
        if (parents.isEmpty()) {
            return true;
        }
        List<String> ids = parents.stream().map(Monitor::id).toList();
        if (!incidents.open(ids).isEmpty()) {
            return false;
        }
        Map<String, Live> lives = look.apply(parents);
        boolean allKnown = parents.stream()
                .allMatch(parent -> isKnownUp(parent, lives.get(parent.id()), incident.startedAt(), now));
        return allKnown && failedSinceRecovery(definition.orElseThrow().monitor(), ids, incident);
    }

    private static boolean isKnownUp(
            Monitor parent, @org.jspecify.annotations.Nullable Live live, Instant since, Instant now) {
        if (live == null) {
            return true;
        }
        if (live.state() == State.DOWN || live.state() == State.DEGRADED) {
            return false;
        }
        boolean upSince = live.lastOkAt() != null && live.lastOkAt().isAfter(since);
        return upSince || now.isAfter(since.plus(parent.staleAfter()));
    }

    private boolean failedSinceRecovery(Monitor monitor, List<String> parents, Incident incident) {
        Optional<Instant> recovered = incidents.lastEnd(parents, incident.startedAt());
        if (recovered.isEmpty()) {
            return true;
        }
        Live live = look.apply(List.of(monitor)).get(monitor.id());
        return live != null
                && live.lastFailureAt() != null
                && live.lastFailureAt().isAfter(recovered.get());
    }
}
