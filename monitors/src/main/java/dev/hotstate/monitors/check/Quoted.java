package dev.hotstate.monitors.check;

/** Text of others as it is shown in a message: in quotes, in one line, and not too much of it. */
final class Quoted {
    private static final int EXCERPT = 80;

    private Quoted() {}

    /** The whole text as {@link AssertionParser} reads it back. */
    static String of(String text) {
        var quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    /** So much of a text as a person needs to recognise it, without line breaks or other control characters. */
    static String excerpt(String text) {
        return excerpt(text, EXCERPT);
    }

    static String excerpt(String text, int most) {
        String line = text.length() > most ? cut(text, most - 1) + "…" : text;
        return line.codePoints()
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Never between the two halves of one character. */
    private static String cut(String text, int at) {
        return text.substring(0, Character.isHighSurrogate(text.charAt(at - 1)) ? at - 1 : at);
    }
}
