package dev.hotstate.monitors.alert;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is said, in the JSON that webhooks get; the same is kept in PostgreSQL, so every attempt says the same.
 *
 * @param event {@code incident.opened}, {@code incident.reminder}, {@code incident.closed} or {@code test}
 * @param incident its id
 */
record Message(
        String event,
        String incident,
        Alert.Subject monitor,
        long failureCount,
        Instant startedAt,
        @Nullable Instant endedAt,
        @Nullable String error) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TEST = "test";

    static Message of(Alert alert) {
        return new Message(
                alert.kind().event(),
                Long.toString(alert.incident()),
                alert.monitor(),
                alert.failureCount(),
                alert.startedAt(),
                alert.endedAt(),
                alert.error());
    }

    /** To see whether a channel works. */
    static Message test(String channel, Instant now) {
        var subject = new Alert.Subject(TEST, "Test message for channel " + channel, "none");
        return new Message(TEST, TEST, subject, 0, now, null, "This is a test. Nothing is down.");
    }

    boolean isTest() {
        return event.equals(TEST);
    }

    String json() {
        ObjectNode root = JSON.createObjectNode();
        root.put("event", event);
        root.put("incident_id", incident);
        root.putObject("monitor")
                .put("id", monitor.id())
                .put("name", monitor.name())
                .put("target", monitor.target());
        root.put("failure_count", failureCount);
        root.put("started_at", startedAt.toString());
        if (endedAt != null) {
            root.put("ended_at", endedAt.toString());
        }
        if (error != null) {
            root.put("error", error);
        }
        return root.toString();
    }

    /** What {@link #json} has written. */
    static Message parse(String json) {
        try {
            JsonNode root = JSON.readTree(json);
            JsonNode monitor = root.required("monitor");
            JsonNode endedAt = root.get("ended_at");
            JsonNode error = root.get("error");
            return new Message(
                    text(root, "event"),
                    text(root, "incident_id"),
                    new Alert.Subject(text(monitor, "id"), text(monitor, "name"), text(monitor, "target")),
                    root.required("failure_count").longValue(),
                    Instant.parse(text(root, "started_at")),
                    endedAt == null ? null : Instant.parse(endedAt.textValue()),
                    error == null ? null : error.textValue());
        } catch (JsonProcessingException malformed) {
            throw new IllegalArgumentException("no message: " + malformed.getOriginalMessage(), malformed);
        }
    }

    private static String text(JsonNode node, String field) {
        return node.required(field).textValue();
    }
}
