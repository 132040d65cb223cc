package dev.hotstate.drivers;

import dev.hotstate.core.Flaws;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the values of this module ask of their numbers and names. All comparisons are such that NaN fits nowhere. */
final class Ranges {
    private static final Pattern TAG = Pattern.compile("[A-Za-z0-9._-]{1," + DriverKeys.MAX_TAG + "}");
    private static final int LONGEST_ID = 64;

    private Ranges() {}

    static boolean fits(@Nullable Double value, double least, double most) {
        return value == null || (value >= least && value <= most);
    }

    /** The same as {@link Flaws#id} asks for, without a pattern: ten thousand of them come in one call. */
    static boolean isId(String id) {
        if (id.isEmpty() || id.length() > LONGEST_ID || id.equals(".") || id.equals("..")) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            char c = id.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!letter && c != '.' && c != '_' && c != '-') {
                return false;
            }
        }
        return true;
    }

    static Flaws between(Flaws flaws, String field, @Nullable Double value, double least, double most) {
        if (value != null) {
            Places.within(flaws, field, value, least, most);
        }
        return flaws;
    }

    /** A place that Redis can keep. */
    static Flaws place(Flaws flaws, double lat, double lon) {
        Places.check(flaws, lat, lon);
        return flaws;
    }

    /** In metres here, in kilometres where people give it. */
    static Flaws radius(Flaws flaws, double metres) {
        return flaws.that(
                metres > 0 && metres <= Search.MOST_RADIUS,
                "radius",
                "must be more than 0 and at most 500 km, not " + metres / 1_000);
    }

    static Flaws tag(Flaws flaws, String field, @Nullable String tag) {
        return flaws.that(
                tag == null || TAG.matcher(tag).matches(),
                field,
                "must be 1 to " + DriverKeys.MAX_TAG + " of A-Z a-z 0-9 . _ -");
    }
}
