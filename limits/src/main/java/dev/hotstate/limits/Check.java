package dev.hotstate.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * One limit to be held: this subject under this rule.
 *
 * @param subject who or what is limited: any text of 1 to 256 bytes
 */
public record Check(String rule, String subject) {
    static final int MAX_SUBJECT_BYTES = 256;

    public Check {
        requireText("subject", subject);
    }

    /** Length before bytes: ten megabytes are refused without being encoded, and ASCII need not be. */
    static void requireText(String field, String text) {
        if (text.isEmpty() || text.length() > MAX_SUBJECT_BYTES || !isAscii(text) && !fitsEncoded(text)) {
            throw new IllegalArgumentException(
                    field + " must be 1 to " + MAX_SUBJECT_BYTES + " bytes of Unicode, not " + size(text));
        }
    }

    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    private static boolean fitsEncoded(String text) {
        return text.getBytes(UTF_8).length <= MAX_SUBJECT_BYTES
                && UTF_8.newEncoder().canEncode(text);
    }

    private static String size(String text) {
        if (text.isEmpty() || text.length() > MAX_SUBJECT_BYTES) {
            return text.length() + " characters";
        }
        return UTF_8.newEncoder().canEncode(text)
                ? text.getBytes(UTF_8).length + " bytes"
                : "a text with half a character in it";
    }
}
