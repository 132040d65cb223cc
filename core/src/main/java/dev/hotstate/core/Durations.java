package dev.hotstate.core;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 24h}, {@code 7d}. */
public final class Durations {
    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");

    private Durations() {}

    /** @throws IllegalArgumentException naming the text that is no duration */
    public static Duration parse(String text) {
        Matcher written = WRITTEN.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!written.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a duration such as \"500ms\", \"30s\", \"5m\" or \"24h\"");
        }
        long amount = Long.parseLong(written.group(1));
        return switch (written.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /** The shortest text that {@link #parse} reads back as the same duration, down to a millisecond. */
    public static String print(Duration duration) {
        long ms = duration.toMillis();
        if (ms % 1000 != 0 || ms == 0) {
            return ms + "ms";
        }
        long seconds = ms / 1000;
        if (seconds % 86_400 == 0) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
    }
}
