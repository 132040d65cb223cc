package dev.hotstate.monitors;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Keeps Redis in line with what changes by itself: windows of maintenance that begin and end, monitors that are gone. */
final class Watchkeeping {
    /** An incident that is so young may be on its way to Redis. */
    private static final Duration SETTLING = Duration.ofSeconds(30);

    private final Directory directory;
    private final Maintenance maintenance;
    private final RedisLive live;
    private final RedisPlaces places;
    private final Partitions partitions;
    private final RedisOutages outages;
    private final PostgresIncidents incidents;
    private final InstantSource clock;

    Watchkeeping(
            Directory directory,
            Maintenance maintenance,
            RedisLive live,
            RedisPlaces places,
            Partitions partitions,
            RedisOutages outages,
            PostgresIncidents incidents,
            InstantSource clock) {
        this.directory = directory;
        this.maintenance = maintenance;
        this.live = live;
        this.places = places;
        this.partitions = partitions;
        this.outages = outages;
        this.incidents = incidents;
        this.clock = clock;
    }

    /**
     * Shows those as in maintenance that a window covers now, and no others. A partition that is lost or being rebuilt waits
     * for the next time, and the others do not wait for it.
     */
    void cover() {
        List<Monitor> watched = directory
                .all()
                .map(Definition::monitor)
                .filter(monitor -> !monitor.paused())
                .toList();
        Set<String> covered = maintenance.covered(watched, clock.instant());
        HotstateException failed = null;
        for (var group : partitions.grouped(watched, Monitor::id).entrySet()) {
            try {
                cover(group.getKey(), group.getValue(), covered);
            } catch (HotstateException notNow) {
                failed = notNow;
            }
        }
        if (failed != null) {
            throw failed;
        }
    }

    private void cover(Partition partition, List<Monitor> watched, Set<String> covered) {
        Set<String> shown = new HashSet<>(places.covered(partition));
        List<Monitor> others = watched.stream()
                .filter(monitor -> covered.contains(monitor.id()) != shown.contains(monitor.id()))
                .toList();
        Map<Boolean, List<Monitor>> moves =
                others.stream().collect(Collectors.partitioningBy(monitor -> covered.contains(monitor.id())));
        moves.forEach((into, monitors) -> move(partition, monitors, into));
    }

    private void move(Partition partition, List<Monitor> monitors, boolean covered) {
        for (int from = 0; from < monitors.size(); from += RedisPlaces.MOST_COVERED) {
            int to = Math.min(from + RedisPlaces.MOST_COVERED, monitors.size());
            places.cover(partition, monitors.subList(from, to), covered);
        }
    }

    /**
     * Reminds Redis of open incidents that it does not know. In this order: what Redis has nothing of, and is open
     * afterwards, nobody is about to close.
     */
    void recall() {
        List<Monitor> inTrouble = incidents.monitorsInTrouble().stream()
                .flatMap(id -> directory.find(id).stream())
                .map(Definition::monitor)
                .filter(monitor -> !monitor.paused())
                .toList();
        Map<String, Live> lives = live.look(inTrouble, maintenance::covers);
        List<Monitor> unknown = inTrouble.stream()
                .filter(monitor -> isUnknown(monitor, lives.get(monitor.id())))
                .toList();
        Instant settled = clock.instant().minus(SETTLING);
        incidents.open(unknown.stream().map(Monitor::id).toList()).stream()
                .filter(incident -> incident.startedAt().isBefore(settled))
                .forEach(this::recall);
    }

    /**
     * Has Redis forget incidents that PostgreSQL has closed, or the next outage would be taken for one that was told. In
     * this order: Redis lets go of an incident before PostgreSQL closes it.
     */
    void forgetClosed() {
        List<Monitor> down = live.in(State.DOWN).stream()
                .flatMap(id -> directory.find(id).stream())
                .map(Definition::monitor)
                .toList();
        Map<Long, String> told = new HashMap<>();
        live.look(down, maintenance::covers).forEach((id, now) -> {
            if (now.incident() != null) {
                told.put(now.incident(), id);
            }
        });
        incidents.closed(told.keySet()).forEach(incident -> {
            String id = told.get(incident);
            if (id != null) {
                outages.forget(partitions.of(id), id, incident);
            }
        });
    }

    private boolean isUnknown(Monitor monitor, @Nullable Live now) {
        return now != null
                && now.incident() == null
                && now.failureCount() == 0
                && outages.of(partitions.of(monitor.id()), monitor.id()).none();
    }

    private void recall(Incident incident) {
        String id = incident.monitor().id();
        directory
                .find(id)
                .map(Definition::monitor)
                .ifPresent(monitor -> outages.recall(partitions.of(id), id, incident.fields(monitor)));
    }

    /** Ends the incidents of monitors that were deleted. */
    void abandon() {
        List<String> inTrouble = incidents.monitorsInTrouble();
        // In this order: a monitor that has an incident was there before it.
        directory.refresh();
        for (String monitor : inTrouble) {
            if (directory.find(monitor).isEmpty()) {
                incidents.abandon(monitor, clock.instant());
            }
        }
    }
}
