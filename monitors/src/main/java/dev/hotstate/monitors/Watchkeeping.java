package dev.hotstate.monitors;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Keeps Redis in line with what changes by itself: windows of maintenance that begin and end, monitors that are gone. */
final class Watchkeeping {
    private final Directory directory;
    private final Maintenance maintenance;
    private final RedisLive live;
    private final RedisPlaces places;
    private final Partitions partitions;
    private final PostgresIncidents incidents;
    private final InstantSource clock;

    Watchkeeping(
            Directory directory,
            Maintenance maintenance,
            RedisLive live,
            RedisPlaces places,
            Partitions partitions,
            PostgresIncidents incidents,
            InstantSource clock) {
        this.directory = directory;
        this.maintenance = maintenance;
        this.live = live;
        this.places = places;
        this.partitions = partitions;
        this.incidents = incidents;
        this.clock = clock;
    }

    /** Shows those as in maintenance that a window covers now, and no others. */
    void cover() {
        Instant now = clock.instant();
        Set<String> shown = new HashSet<>(live.in(State.MAINTENANCE));
        List<Monitor> watched = directory
                .all()
                .map(Definition::monitor)
                .filter(monitor -> !monitor.paused())
                .toList();
        Set<String> covered = maintenance.covered(watched, now);
        move(
                watched.stream()
                        .filter(monitor -> covered.contains(monitor.id()) && !shown.contains(monitor.id()))
                        .toList(),
                true);
        move(
                watched.stream()
                        .filter(monitor -> !covered.contains(monitor.id()) && shown.contains(monitor.id()))
                        .toList(),
                false);
    }

    private void move(List<Monitor> monitors, boolean covered) {
        partitions.grouped(monitors, Monitor::id).forEach((partition, group) -> {
            for (int from = 0; from < group.size(); from += RedisPlaces.MOST_COVERED) {
                places.cover(
                        partition,
                        group.subList(from, Math.min(from + RedisPlaces.MOST_COVERED, group.size())),
                        covered);
            }
        });
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
