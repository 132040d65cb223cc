package dev.hotstate.monitors.alert;

/** Texts from outside, made fit for where they go. */
final class Text {
    private Text() {}

    /** As PostgreSQL can keep it: without U+0000 and halves of surrogate pairs. An alert is not lost over its text. */
    static String storable(String text, int longest) {
        var kept = new StringBuilder(Math.min(text.length(), longest));
        text.codePoints()
                .map(character -> isStorable(character) ? character : '\uFFFD')
                .limit(longest)
                .forEach(kept::appendCodePoint);
        return kept.toString();
    }

    /** On one line: what would begin another, steer a terminal or turn the reading direction becomes a space. */
    static String oneLine(String text, int longest) {
        String line = storable(text, longest + 1)
                .replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}\u202A-\u202E\u2066-\u2069]+", " ")
                .strip();
        return line.codePointCount(0, line.length()) <= longest
                ? line
                : line.substring(0, line.offsetByCodePoints(0, longest - 1)) + "…";
    }

    static boolean hasControls(String text) {
        return text.codePoints().anyMatch(Character::isISOControl);
    }

    private static boolean isStorable(int character) {
        return character != 0 && (character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE);
    }
}
