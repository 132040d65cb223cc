package dev.hotstate.monitors;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Tells open incidents again that nobody has acknowledged, unless their monitor is paused or in maintenance. */
final class Reminders {
    private final PostgresIncidents incidents;
    private final Directory directory;
    private final Maintenance maintenance;
    private final Function<List<Monitor>, Map<String, Live>> look;
    private final InstantSource clock;

    Reminders(
            PostgresIncidents incidents,
            Directory directory,
            Maintenance maintenance,
            Function<List<Monitor>, Map<String, Live>> look,
            InstantSource clock) {
        this.incidents = incidents;
        this.directory = directory;
        this.maintenance = maintenance;
        this.look = look;
        this.clock = clock;
    }

    /** Any instance may, also at once: a reminder has a number, and each number is told once. */
    void tellDue() {
        Instant now = clock.instant();
        for (Incident incident : incidents.dueReminders(now)) {
            Optional<Monitor> monitor = directory.find(incident.monitor().id()).map(Definition::monitor);
            Duration every = monitor.map(Monitor::remindEvery).orElse(null);
            boolean tell = monitor.isPresent()
                    && every != null
                    && !monitor.get().paused()
                    && !maintenance.covers(monitor.get(), now);
            incidents.remind(incident, tell, every, monitor.map(this::failures).orElse(0L), now);
        }
    }

    private long failures(Monitor monitor) {
        Live live = look.apply(List.of(monitor)).get(monitor.id());
        return live == null ? 0 : live.failureCount();
    }
}
