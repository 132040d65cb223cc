package dev.hotstate.audit.report;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Numbers as people read them, the same in every place and language. */
final class Figures {
    private static final List<String> UNITS = List.of("B", "KiB", "MiB", "GiB", "TiB", "PiB");

    private Figures() {}

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    static String counted(long number, String one, String many) {
        return count(number) + " " + (number == 1 ? one : many);
    }

    /** In powers of 1024, as Redis counts: {@code 3.4 KiB}. */
    static String bytes(long bytes) {
        double size = bytes;
        int unit = 0;
        while (Math.abs(size) >= 1024 && unit < UNITS.size() - 1) {
            size /= 1024;
            unit++;
        }
        return unit == 0 ? count(bytes) + " B" : oneDigit(size) + " " + UNITS.get(unit);
    }

    /** With its sign in front, for what has changed. */
    static String change(long difference, String shown) {
        return difference > 0 ? "+" + shown : shown;
    }

    static String share(double share) {
        return oneDigit(share * 100) + " %";
    }

    static String rate(double perSecond) {
        return oneDigit(perSecond) + "/s";
    }

    static String oneDigit(double number) {
        return String.format(Locale.ROOT, Math.abs(number) >= 1000 ? "%,.0f" : "%.1f", number);
    }

    /** {@code 340 ms}, {@code 2.5 s}, {@code 3 min}, {@code 4.5 h}, {@code 12 d}: near enough to plan with. */
    static String time(long millis) {
        Duration time = Duration.ofMillis(millis);
        if (time.compareTo(Duration.ofSeconds(1)) < 0) {
            return millis + " ms";
        }
        if (time.compareTo(Duration.ofMinutes(2)) < 0) {
            return trimmed(millis / 1000.0) + " s";
        }
        if (time.compareTo(Duration.ofHours(2)) < 0) {
            return trimmed(millis / 60_000.0) + " min";
        }
        return time.compareTo(Duration.ofDays(2)) < 0
                ? trimmed(millis / 3_600_000.0) + " h"
                : trimmed(millis / 86_400_000.0) + " d";
    }

    private static String trimmed(double number) {
        String shown = oneDigit(number);
        return shown.endsWith(".0") ? shown.substring(0, shown.length() - 2) : shown;
    }
}
