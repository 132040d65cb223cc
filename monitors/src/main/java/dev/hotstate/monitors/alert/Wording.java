package dev.hotstate.monitors.alert;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** What people read. Each line is one line, whatever the monitor is called. */
final class Wording {
    private static final int LONGEST_NAME = 150;

    private Wording() {}

    static String headline(Message message) {
        String name = Text.oneLine(message.monitor().name(), LONGEST_NAME);
        return switch (message.event()) {
            case "incident.opened" -> "DOWN: " + name;
            case "incident.reminder" -> "STILL DOWN: " + name;
            case "incident.closed" -> "UP: " + name;
            default -> "TEST: " + name;
        };
    }

    static List<String> details(Message message) {
        List<String> lines = new ArrayList<>();
        if (message.error() != null) {
            lines.add((message.endedAt() == null ? "Error: " : "Last error: ") + message.error());
        }
        if (!message.isTest()) {
            lines.add("Target: " + message.monitor().target());
            lines.add("Since: " + time(message.startedAt()));
        }
        Instant endedAt = message.endedAt();
        if (endedAt != null) {
            lines.add("Until: " + time(endedAt) + " (" + length(Duration.between(message.startedAt(), endedAt)) + ")");
        }
        if (!message.isTest()) {
            lines.add("Failed checks: " + message.failureCount());
            lines.add("Incident " + message.incident() + ", monitor "
                    + message.monitor().id());
        }
        return lines;
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS)
                .toString()
                .replace('T', ' ')
                .replace("Z", " UTC");
    }

    private static String length(Duration duration) {
        if (duration.toDays() > 0) {
            return duration.toDays() + " d " + duration.toHoursPart() + " h";
        }
        if (duration.toHours() > 0) {
            return duration.toHours() + " h " + duration.toMinutesPart() + " min";
        }
        return duration.toMinutes() > 0
                ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
                : Math.max(0, duration.toSeconds()) + " s";
    }
}
