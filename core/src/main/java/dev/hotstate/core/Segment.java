package dev.hotstate.core;

/**
 * One part of a key pattern between two colons: a literal or a variable, bare or in the braces of a hash tag.
 *
 * <p>A value never holds a colon or a brace, so a key splits into its segments in exactly one way and two patterns
 * overlap exactly when they have as many segments and each pair of segments does.
 */
record Segment(String word, boolean variable, boolean tag, int maxBytes, boolean text) {

    static Segment literal(String word, boolean tag) {
        for (int i = 0; i < word.length(); i++) {
            if (!isIdCharacter(word.charAt(i))) {
                throw new IllegalArgumentException("the literal \"" + word + "\" holds '" + word.charAt(i)
                        + "'; a pattern is made of A-Z a-z 0-9 . _ - between colons");
            }
        }
        return new Segment(word, false, tag, word.length(), false);
    }

    /** How a value stands in a key. Ids stand as they are; text is percent-encoded where it must be. */
    String encode(String value) {
        String encoded = text ? percentEncoded(value) : value;
        if (!admits(encoded)) {
            throw new IllegalArgumentException(
                    "<" + word + "> must be 1 to " + maxBytes + (text ? " bytes" : " of A-Z a-z 0-9 . _ -") + ", not \""
                            + (value.length() > 80 ? value.substring(0, 80) + "…" : value) + "\"");
        }
        return encoded;
    }

    /** Whether a live key may have this in the segment's place. */
    boolean admits(String encoded) {
        if (!variable) {
            return word.equals(encoded);
        }
        if (encoded.isEmpty() || encoded.length() > maxBytes) {
            return false;
        }
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (!(isIdCharacter(c) || text && isTextCharacter(c))) {
                return false;
            }
        }
        return true;
    }

    boolean overlaps(Segment other) {
        if (tag != other.tag) {
            return false;
        }
        if (variable && other.variable) {
            return true;
        }
        return variable ? admits(other.word) : other.admits(word);
    }

    int maxLength() {
        return maxBytes + (tag ? 2 : 0);
    }

    @Override
    public String toString() {
        String inner = variable ? "<" + word + ">" : word;
        return tag ? "{" + inner + "}" : inner;
    }

    private static String percentEncoded(String value) {
        StringBuilder out = new StringBuilder(value.length());
        for (byte b : value.getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (c != '%' && (isIdCharacter(c) || isTextCharacter(c))) {
                out.append(c);
            } else {
                out.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
                out.append(Character.toUpperCase(Character.forDigit(c & 15, 16)));
            }
        }
        return out.toString();
    }

    static boolean isIdCharacter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';
    }

    /** Printable ASCII but for what a key is built of; {@code %} stands for itself only as an escape. */
    private static boolean isTextCharacter(char c) {
        return c >= ' ' && c <= '~' && c != ':' && c != '{' && c != '}';
    }
}
