package dev.hotstate.monitors;

import dev.hotstate.core.HotstateException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells open incidents again that nobody has acknowledged, unless their monitor is paused or in maintenance. */
final class Reminders {
    private static final Logger log = LoggerFactory.getLogger(Reminders.class);

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
        wantedSince(now);
        List<Incident> due = incidents.dueReminders(now);
        Map<String, Live> lives = lives(due);
        for (Incident incident : due) {
            Optional<Monitor> monitor = monitor(incident);
            Duration every = monitor.map(Monitor::remindEvery).orElse(null);
            boolean tell = monitor.isPresent()
                    && every != null
                    && !monitor.get().paused()
                    && !maintenance.covers(monitor.get(), now);
            Live live = lives.get(incident.monitor().id());
            incidents.remind(incident, tell, every, live == null ? 0 : live.failureCount(), now);
        }
    }

    /** Somebody may want to be reminded of an incident only after it began. */
    private void wantedSince(Instant now) {
        for (Incident incident : incidents.neverReminded()) {
            monitor(incident)
                    .map(Monitor::remindEvery)
                    .ifPresent(every -> incidents.remindFrom(incident.id(), now.plus(every)));
        }
    }

    private Optional<Monitor> monitor(Incident incident) {
        return directory.find(incident.monitor().id()).map(Definition::monitor);
    }

    /** For their counts of failures; while Redis is away a reminder says how many were known, and goes out. */
    private Map<String, Live> lives(List<Incident> due) {
        try {
            return look.apply(
                    due.stream().flatMap(incident -> monitor(incident).stream()).toList());
        } catch (HotstateException away) {
            log.debug("reminders go out with the failures that are known: {}", away.getMessage());
            return Map.of();
        }
    }
}
