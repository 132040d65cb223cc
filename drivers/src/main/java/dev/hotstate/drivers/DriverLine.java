package dev.hotstate.drivers;

import static java.time.temporal.ChronoUnit.MICROS;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A driver as Redis keeps it, in one line of the hash {@code fix}; {@code fix.lua} reads and writes the same.
 *
 * @param state A found, R reserved, B busy, O offline by silence, C offline by choice
 * @param at null before the first fix; and so is {@code cell}
 * @param seenAt null where it was never heard of
 */
record DriverLine(
        char state,
        @Nullable Instant at,
        Instant since,
        long epoch,
        long version,
        @Nullable Long seq,
        @Nullable Instant seenAt,
        @Nullable Long cell,
        @Nullable Double heading,
        @Nullable Double speed) {
    static final String NONE = "-";

    private static final int DIGITS = 16;
    private static final long MOST_MICROS = 9_999_999_999_999_999L;
    private static final Pattern PARTS = Pattern.compile("[ |]");

    static DriverLine parse(String line) {
        String[] parts = PARTS.split(line);
        return new DriverLine(
                parts[0].charAt(0),
                orNull(micros(parts[1])),
                millis(parts[2]),
                Long.parseLong(parts[3]),
                Long.parseLong(parts[4]),
                number(parts[5]),
                orNull(millis(parts[6])),
                number(parts[7]),
                decimal(parts[8]),
                decimal(parts[9]));
    }

    Status status() {
        return status(state);
    }

    boolean isReserved() {
        return state == 'R';
    }

    static Status status(char state) {
        return switch (state) {
            case 'A', 'R' -> Status.AVAILABLE;
            case 'B' -> Status.BUSY;
            case 'O', 'C' -> Status.OFFLINE;
            default -> throw new IllegalArgumentException("a driver is A, R, B, O or C, not " + state);
        };
    }

    /** In microseconds and of 16 digits (1970 to 2286), so that scripts compare it as a text. */
    static String micros(Instant at) {
        String digits = Long.toString(Math.clamp(MICROS.between(Instant.EPOCH, at), 0, MOST_MICROS));
        return digits.length() >= DIGITS ? digits : "0".repeat(DIGITS - digits.length()) + digits;
    }

    static Instant micros(String text) {
        return Instant.EPOCH.plus(Long.parseLong(text), MICROS);
    }

    static Instant millis(String text) {
        return Instant.ofEpochMilli(Long.parseLong(text));
    }

    /** Heading and speed as one part of the line. */
    static String motion(@Nullable Double heading, @Nullable Double speed) {
        return text(heading) + ' ' + text(speed);
    }

    static String text(@Nullable Long number) {
        return number == null ? NONE : number.toString();
    }

    /** Whole numbers without a point, as most are. */
    static String text(@Nullable Double number) {
        if (number == null) {
            return NONE;
        }
        long whole = number.longValue();
        return whole == number ? Long.toString(whole) : number.toString();
    }

    private static @Nullable Instant orNull(Instant time) {
        return time.equals(Instant.EPOCH) ? null : time;
    }

    private static @Nullable Long number(String text) {
        return text.equals(NONE) ? null : (Long) Long.parseLong(text);
    }

    private static @Nullable Double decimal(String text) {
        return text.equals(NONE) ? null : (Double) Double.parseDouble(text);
    }
}
