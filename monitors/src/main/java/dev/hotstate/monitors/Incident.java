package dev.hotstate.monitors;

import dev.hotstate.monitors.alert.Alert;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An outage that counted.
 *
 * @param monitor as it was called when the outage began
 * @param channels who is told of it
 * @param held whether its alerts wait: a monitor that this one depends on is down, or may be
 */
public record Incident(
        long id,
        Alert.Subject monitor,
        Instant startedAt,
        @Nullable Instant endedAt,
        long failureCount,
        @Nullable String error,
        List<String> channels,
        boolean held,
        @Nullable Instant acknowledgedAt,
        @Nullable String acknowledgedBy,
        int reminders) {

    public boolean isOpen() {
        return endedAt == null;
    }

    Alert alert(Alert.Kind kind, int sequence) {
        return new Alert(kind, sequence, id, monitor, failureCount, startedAt, endedAt, error);
    }

    /** As Redis keeps it while it goes on: it was told, so it has its number from the start. */
    Map<String, String> fields(Monitor monitor) {
        Map<String, String> fields = new LinkedHashMap<>();
        String began = Long.toString(startedAt.toEpochMilli());
        long least = monitor.rhythm().failureThreshold();
        fields.put("failure_count", Long.toString(Math.max(failureCount, least)));
        fields.put("first_failure_at", began);
        fields.put("last_failure_at", began);
        fields.put("alerted", "1");
        fields.put("wanted", "1");
        fields.put("incident_id", Long.toString(id));
        if (error != null) {
            fields.put("error", error);
        }
        return fields;
    }

    /** Something that happened to an incident: opened, held, covered, released, acknowledged, reminded, closed, abandoned. */
    public record Event(Instant at, String kind, @Nullable String detail) {}
}
