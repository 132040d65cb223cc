package dev.hotstate.server.monitors;

import dev.hotstate.monitors.State;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A small picture: a name on the left, what is to be said of it on the right. */
record Badge(String label, String message, String colour) {
    private static final int LONGEST = 40;
    private static final String GREEN = "#2e7d32";
    private static final String AMBER = "#b26a00";
    private static final String RED = "#c62828";
    private static final String GREY = "#616161";
    private static final String BLUE = "#1565c0";

    static Badge of(String name, State state) {
        return new Badge(
                name,
                state.word(),
                switch (state) {
                    case UP -> GREEN;
                    case DEGRADED -> AMBER;
                    case DOWN -> RED;
                    case MAINTENANCE -> BLUE;
                    case PAUSED, PENDING, STALE -> GREY;
                });
    }

    /** @param uptime in percent; null where nothing is known */
    static Badge of(String name, String window, @Nullable Double uptime) {
        if (uptime == null) {
            return new Badge(name + " " + window, "unknown", GREY);
        }
        String colour = uptime >= 99.9 ? GREEN : uptime >= 99 ? AMBER : RED;
        // Cut, not rounded: what was down for a moment was not up all the time.
        String percent = String.format(Locale.ROOT, "%.2f%%", Math.floor(uptime * 100) / 100);
        return new Badge(name + " " + window, percent, colour);
    }

    /** Without styles or scripts, which no page that shows it would run. */
    String svg() {
        String left = escaped(shortened(label));
        String right = escaped(message);
        int leftWidth = width(shortened(label));
        int whole = leftWidth + width(message);
        return """
                <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="20" role="img" aria-label="%2$s: %3$s">
                <title>%2$s: %3$s</title>
                <clipPath id="r"><rect width="%1$d" height="20" rx="3"/></clipPath>
                <g clip-path="url(#r)"><rect width="%4$d" height="20" fill="#424242"/>\
                <rect x="%4$d" width="%5$d" height="20" fill="%6$s"/></g>
                <g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">\
                <text x="%7$d" y="14">%2$s</text><text x="%8$d" y="14">%3$s</text></g>
                </svg>
                """.formatted(
                        whole,
                        left,
                        right,
                        leftWidth,
                        whole - leftWidth,
                        colour,
                        leftWidth / 2,
                        leftWidth + (whole - leftWidth) / 2);
    }

    private static String shortened(String text) {
        var shown = new StringBuilder();
        text.codePoints().filter(Badge::isPlain).limit(LONGEST + 1L).forEach(shown::appendCodePoint);
        int length = shown.codePointCount(0, shown.length());
        return length <= LONGEST
                ? shown.toString()
                : shown.substring(0, shown.offsetByCodePoints(0, LONGEST - 1)) + "…";
    }

    /** Neither what XML has no way to write, nor what turns the direction of all that follows. */
    private static boolean isPlain(int character) {
        int type = Character.getType(character);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.UNASSIGNED
                && type != Character.PRIVATE_USE;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    private static int width(String text) {
        int wide = (int) text.codePoints().filter(c -> c > 0x2e80).count();
        return 12 + 7 * text.codePointCount(0, text.length()) + 5 * wide;
    }
}
