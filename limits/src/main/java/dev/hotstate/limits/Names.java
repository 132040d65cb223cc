package dev.hotstate.limits;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * How tags, rules and subjects of any length stand in a key of less than 100 bytes: as they are where they fit once
 * percent-encoded, else as a part of their SHA-256 after a {@code ~}. With 84 bits of it, two of a billion subjects under
 * one tag and rule share a counter with a chance of one in forty million.
 */
final class Names {
    /** Of a subject, and of a tag, which often is the subject. */
    static final int MAX_SUBJECT = 15;

    static final int MAX_RULE = 18;

    private static final int HASH = 14;
    private static final int RULE_BEGINNING = 7;
    private static final int RULE_HASH = 10;
    private static final int ESCAPE = 3;

    private Names() {}

    static String ofSubject(String subject) {
        return fits(subject, MAX_SUBJECT) ? subject : "~" + hash(subject, HASH);
    }

    /** A long rule keeps its beginning, so that a person knows it. Rules are few: 60 bits tell them apart. */
    static String ofRule(String id) {
        return fits(id, MAX_RULE) ? id : id.substring(0, RULE_BEGINNING) + "~" + hash(id, RULE_HASH);
    }

    /** Whether a text can stand for itself and be mistaken for no hash. */
    private static boolean fits(String text, int most) {
        if (text.length() > most || text.charAt(0) == '~') {
            return false;
        }
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                return encodedLength(text) <= most;
            }
            bytes += isPlain(c) ? 1 : ESCAPE;
        }
        return bytes <= most;
    }

    private static int encodedLength(String text) {
        int bytes = 0;
        for (byte b : text.getBytes(UTF_8)) {
            bytes += b > 0 && isPlain((char) b) ? 1 : ESCAPE;
        }
        return bytes;
    }

    /** What a key holds unescaped; see the text variables of core's key families. */
    private static boolean isPlain(char c) {
        return c >= ' ' && c <= '~' && c != ':' && c != '{' && c != '}' && c != '%';
    }

    private static String hash(String text, int characters) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
            return Base64.getUrlEncoder().encodeToString(digest).substring(0, characters);
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every Java has SHA-256", absent);
        }
    }
}
