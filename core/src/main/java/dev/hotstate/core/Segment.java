package dev.hotstate.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;

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
        if (!admitsValue(encoded)) {
            throw refused(value);
        }
        return tag ? "{" + encoded + "}" : encoded;
    }

    /** Whether a live key may have this between the colons of the segment's place, the braces of a tag included. */
    boolean admits(String part) {
        if (!tag) {
            return admitsValue(part);
        }
        int last = part.length() - 1;
        return last > 1 && part.charAt(0) == '{' && part.charAt(last) == '}' && admitsValue(part.substring(1, last));
    }

    boolean overlaps(Segment other) {
        if (tag != other.tag) {
            return false;
        }
        if (variable && other.variable) {
            return true;
        }
        return variable ? admitsValue(other.word) : other.admitsValue(word);
    }

    int maxLength() {
        return maxBytes + (tag ? 2 : 0);
    }

    @Override
    public String toString() {
        String inner = variable ? "<" + word + ">" : word;
        return tag ? "{" + inner + "}" : inner;
    }

    private boolean admitsValue(String encoded) {
        if (!variable) {
            return word.equals(encoded);
        }
        if (encoded.isEmpty() || encoded.length() > maxBytes) {
            return false;
        }
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (text && c == '%') {
                if (!isEscape(encoded, i)) {
                    return false;
                }
                i += 2;
            } else if (!(text ? isPlain(c) : isIdCharacter(c))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Text that is no Unicode (half a surrogate pair) is refused: its bytes would be those of a question mark, and two
     * texts would share a key.
     */
    private String percentEncoded(String value) {
        if (isAllPlain(value)) {
            return value;
        }
        ByteBuffer bytes;
        try {
            bytes = UTF_8.newEncoder().encode(CharBuffer.wrap(value));
        } catch (CharacterCodingException malformed) {
            throw refused(value);
        }
        StringBuilder out = new StringBuilder(bytes.remaining());
        while (bytes.hasRemaining()) {
            char c = (char) (bytes.get() & 0xff);
            if (isPlain(c)) {
                out.append(c);
            } else {
                out.append('%').append(hex(c >> 4)).append(hex(c & 15));
            }
        }
        return out.toString();
    }

    /** Most values are, and a key is made for every call. */
    private static boolean isAllPlain(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (!isPlain(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private IllegalArgumentException refused(String value) {
        return new IllegalArgumentException("<" + word + "> must be 1 to " + maxBytes
                + (text ? " bytes of Unicode once percent-encoded" : " of A-Z a-z 0-9 . _ -") + ", not \""
                + (value.length() > 80 ? value.substring(0, 80) + "…" : value) + "\"");
    }

    /** An escape as {@link #percentEncoded} writes it: upper case, and only of what cannot stand for itself. */
    private static boolean isEscape(String encoded, int at) {
        if (at + 2 >= encoded.length()) {
            return false;
        }
        int high = HEX.indexOf(encoded.charAt(at + 1));
        int low = HEX.indexOf(encoded.charAt(at + 2));
        return high >= 0 && low >= 0 && !isPlain((char) (high << 4 | low));
    }

    private static final String HEX = "0123456789ABCDEF";

    private static char hex(int digit) {
        return HEX.charAt(digit);
    }

    static boolean isIdCharacter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';
    }

    /** What stands for itself in a text: printable ASCII but for what a key is built of and the escape's own sign. */
    static boolean isPlain(char c) {
        return c >= ' ' && c <= '~' && c != ':' && c != '{' && c != '}' && c != '%';
    }
}
