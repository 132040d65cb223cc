package dev.hotstate.core;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 5m}, {@code 24h}, {@code 7d}. */
public final class Durations {
    /** Nobody means more, and its nanoseconds fit a long. */
    private static final Duration MOST = Duration.ofDays(36_500);

    private static final Pattern WRITTEN = Pattern.compile("(\\d{1,13})(ms|s|m|h|d)");

    private Durations() {}

    /** @throws IllegalArgumentException naming the text that is no duration */
    public static Duration parse(String text) {
        Matcher written = WRITTEN.matcher(text.trim().toLowerCase(Locale.ROOT));
        if (!written.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is not a duration such as \"500ms\", \"30s\", \"5m\" or \"24h\"");
        }
        Duration duration = of(Long.parseLong(written.group(1)), written.group(2));
        if (duration.compareTo(MOST) > 0) {
            throw new IllegalArgumentException("\"" + text + "\" is longer than " + print(MOST));
        }
        return duration;
    }

    /** The text in the largest usual unit that {@link #parse} reads back as the same duration, down to a millisecond. */
    public static String print(Duration duration) {
        long ms = duration.toMillis();
        if (ms % 1000 != 0 || ms == 0) {
            return ms + "ms";
        }
        long seconds = ms / 1000;
        // A minute is 60s and a day 24h, as people say of an interval and of a window; from two on they are minutes and
        // days.
        if (seconds % 86_400 == 0 && seconds > 86_400) {
            return seconds / 86_400 + "d";
        }
        if (seconds % 3600 == 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 && seconds > 60 ? seconds / 60 + "m" : seconds + "s";
    }

    private static Duration of(long amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
