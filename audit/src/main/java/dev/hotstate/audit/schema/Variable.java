package dev.hotstate.audit.schema;

import java.util.Locale;

/**
 * What may stand in a place of a pattern.
 *
 * @param maxBytes the most bytes, as it stands in a key; 0: any number
 */
public record Variable(String name, Kind kind, int maxBytes) {
    /** The bytes of a value. */
    public enum Kind {
        /** {@code A-Z a-z 0-9 . _ -} */
        ID,
        /** Printable text, percent-encoded where it holds a colon, a brace or a percent sign. */
        TEXT,
        /** Decimal digits. */
        DIGITS,
        /** Hexadecimal digits. */
        HEX,
        /** As in RFC 9562: 8-4-4-4-12 hexadecimal digits. */
        UUID,
        /** Any bytes but a colon. */
        ANY,
        /** Any bytes up to the end, colons too; only as the last of a pattern. */
        REST;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** @throws IllegalArgumentException naming the word that is none */
        public static Kind of(String word) {
            for (Kind kind : values()) {
                if (kind.word().equals(word)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException(
                    "kind must be id, text, digits, hex, uuid, any or rest, not \"" + word + "\"");
        }
    }

    public Variable {
        if (!name.matches("[A-Za-z][A-Za-z0-9_]*")) {
            throw new IllegalArgumentException(
                    "name must be letters, digits and _, a letter first, not \"" + name + "\"");
        }
        if (maxBytes < 0) {
            throw new IllegalArgumentException("max_bytes must not be negative: " + maxBytes);
        }
    }

    public static Variable any(String name) {
        return new Variable(name, Kind.ANY, 0);
    }
}
