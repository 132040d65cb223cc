package dev.hotstate.server.monitors;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.hotstate.monitors.Incident;
import dev.hotstate.monitors.Incidents;
import dev.hotstate.monitors.alert.Alert;
import dev.hotstate.monitors.alert.Delivery;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An incident as it is answered. Its number is a text, so that no language rounds it. */
record IncidentShown(
        String id,
        Subject monitor,
        boolean open,
        Instant startedAt,
        @Nullable Instant endedAt,
        long failureCount,
        @Nullable String error,
        List<String> channels,
        boolean held,
        @Nullable Instant acknowledgedAt,
        @Nullable String acknowledgedBy,
        int reminders) {

    static IncidentShown of(Incident incident) {
        return new IncidentShown(
                Long.toString(incident.id()),
                Subject.of(incident.monitor()),
                incident.isOpen(),
                incident.startedAt(),
                incident.endedAt(),
                incident.failureCount(),
                incident.error(),
                incident.channels(),
                incident.held(),
                incident.acknowledgedAt(),
                incident.acknowledgedBy(),
                incident.reminders());
    }

    /** The monitor as it was called when the outage began. */
    record Subject(String id, String name, String target) {
        static Subject of(Alert.Subject monitor) {
            return new Subject(monitor.id(), monitor.name(), monitor.target());
        }
    }

    /** With all that happened to it, and every alert's fate. */
    record Whole(@JsonUnwrapped IncidentShown incident, List<Event> timeline, List<DeliveryShown> deliveries) {
        static Whole of(Incidents.Story story) {
            return new Whole(
                    IncidentShown.of(story.incident()),
                    story.timeline().stream()
                            .map(event -> new Event(event.at(), event.kind(), event.detail()))
                            .toList(),
                    story.deliveries().stream().map(DeliveryShown::of).toList());
        }
    }

    record Event(Instant at, String kind, @Nullable String detail) {}

    /**
     * The fate of one alert on one channel.
     *
     * @param event as the message names it, such as {@code incident.opened}
     */
    record DeliveryShown(
            String id,
            String incidentId,
            String channel,
            String event,
            int sequence,
            String status,
            int attempts,
            @Nullable String error,
            Instant createdAt,
            @Nullable Instant lastAttemptAt,
            @Nullable Instant deliveredAt,
            @Nullable Instant nextAttemptAt,
            String idempotencyKey) {
        static DeliveryShown of(Delivery delivery) {
            return new DeliveryShown(
                    Long.toString(delivery.id()),
                    Long.toString(delivery.incident()),
                    delivery.channel(),
                    delivery.kind().event(),
                    delivery.sequence(),
                    delivery.status().word(),
                    delivery.attempts(),
                    delivery.error(),
                    delivery.createdAt(),
                    delivery.lastAttemptAt(),
                    delivery.deliveredAt(),
                    delivery.nextAttemptAt(),
                    delivery.idempotencyKey());
        }
    }
}
