package dev.hotstate.monitors.check;

/** A place in an assertion's text, which moves on as the text is read; what is not as expected is refused with its column. */
final class TextCursor {
    private final String text;
    private int at;

    TextCursor(String text) {
        this.text = text;
    }

    int at() {
        return at;
    }

    /** Goes back to where something else may be tried. */
    void back(int to) {
        at = to;
    }

    void move(int characters) {
        at += characters;
    }

    boolean isAtEnd() {
        return at >= text.length();
    }

    boolean startsWith(String prefix) {
        return text.startsWith(prefix, at);
    }

    /** From there to here. */
    String since(int start) {
        return text.substring(start, at);
    }

    String text() {
        return text;
    }

    String quoted() {
        int start = at;
        char quote = text.charAt(at++);
        var value = new StringBuilder();
        while (at < text.length() && peek() != quote) {
            value.append(character(quote));
        }
        if (at == text.length()) {
            throw new IllegalArgumentException("the text that begins at column " + (start + 1) + " has no end");
        }
        at++;
        return value.toString();
    }

    private String character(char quote) {
        char c = text.charAt(at++);
        if (c != '\\' || at == text.length()) {
            return String.valueOf(c);
        }
        char escaped = text.charAt(at++);
        return switch (escaped) {
            case 'n' -> "\n";
            case 'r' -> "\r";
            case 't' -> "\t";
            case '\\' -> "\\";
            default -> escaped == quote ? String.valueOf(quote) : "\\" + escaped;
        };
    }

    String word() {
        int start = at;
        while (Character.isLetter(peek()) || peek() == '_' || (peek() == '.' && at > start)) {
            at++;
        }
        return text.substring(start, at);
    }

    String letters() {
        int start = at;
        while (Character.isLetter(peek())) {
            at++;
        }
        return text.substring(start, at);
    }

    void skipSpaces() {
        while (Character.isWhitespace(peek())) {
            at++;
        }
    }

    void skip(char c) {
        if (!skipIf(c)) {
            throw expected("'" + c + "'");
        }
    }

    boolean skipIf(char c) {
        boolean there = peek() == c && at < text.length();
        at += there ? 1 : 0;
        return there;
    }

    /** The next character; at the end one that is no part of the language. */
    char peek() {
        return peek(0);
    }

    char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : '\0';
    }

    static boolean isQuote(char c) {
        return c == '"' || c == '\'';
    }

    static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    IllegalArgumentException expected(String what) {
        return new IllegalArgumentException("expected " + what + " at column " + (at + 1) + ", found " + found());
    }

    private String found() {
        if (at >= text.length()) {
            return "end";
        }
        int end = at + 1;
        while (end < text.length() && Character.isLetterOrDigit(text.charAt(at)) && isWordPart(text.charAt(end))) {
            end++;
        }
        return "'" + Quoted.excerpt(text.substring(at, end), 20) + "'";
    }

    private static boolean isWordPart(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }
}
