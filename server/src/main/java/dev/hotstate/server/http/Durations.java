package dev.hotstate.server.http;

import java.time.Duration;
import java.util.regex.Pattern;

/** Durations as the API writes them: {@code "500ms"}, {@code "30s"}, {@code "5m"}, {@code "2h"}, {@code "7d"}. */
public final class Durations {
    // Nine digits of the largest unit stay far below what a Duration in milliseconds can hold.
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");

    private Durations() {}

    /** @throws IllegalArgumentException saying how a duration is written */
    public static Duration parse(String text) {
        var parts = DURATION.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException(
                    "must be a duration such as \"500ms\", \"30s\", \"5m\", \"2h\" or \"7d\"");
        }
        long amount = Long.parseLong(parts.group(1));
        return switch (parts.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /** In the largest unit that loses nothing; what is finer than a millisecond is cut. */
    public static String text(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0) {
            return "0s";
        }
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
