package dev.hotstate.audit.report;

/**
 * The last guard before an output: names are escaped where they are read, yet a report may also come from a file that
 * anybody wrote. What a terminal, a log or a page could act on stands escaped as {@link KeyName} escapes it; a backslash
 * stays, since it is the sign of an escape already.
 */
final class Printable {
    private Printable() {}

    static String of(String text) {
        if (text.chars().allMatch(c -> c >= ' ' && c < 127)) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> out.append(c == '\\' ? "\\" : KeyName.shown(Character.toString(c))));
        return out.toString();
    }
}
