package dev.hotstate.audit.report;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Shows a name, which may be any bytes, so that nothing in it can act on a terminal, a log or a page: what is not a
 * printable character stands as {@code \n}, {@code \x1b} or {@code \u202e}, a backslash as two.
 */
public final class KeyName {
    private KeyName() {}

    public static String shown(byte[] name) {
        try {
            return shown(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(name))
                    .toString());
        } catch (CharacterCodingException binary) {
            return shownAsBytes(name);
        }
    }

    /** Of text that is Unicode already. */
    public static String shown(String text) {
        if (text.chars().allMatch(c -> c >= ' ' && c < 127 && c != '\\')) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> append(out, c));
        return out.toString();
    }

    private static void append(StringBuilder out, int c) {
        switch (c) {
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> {
                if (c < ' ' || c == 127) {
                    out.append(String.format("\\x%02x", c));
                } else if (isUnseen(c)) {
                    out.append(String.format("\\u%04x", c));
                } else {
                    out.appendCodePoint(c);
                }
            }
        }
    }

    /** Controls, marks that turn the direction of text, halves of pairs, what is not assigned. */
    private static boolean isUnseen(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> false;
        };
    }

    private static String shownAsBytes(byte[] name) {
        StringBuilder out = new StringBuilder(name.length * 2);
        for (byte b : name) {
            int c = b & 0xff;
            if (c < 128) {
                append(out, c);
            } else {
                out.append(String.format("\\x%02x", c));
            }
        }
        return out.toString();
    }
}
