package dev.hotstate.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * A text of any length as the value of a text variable ({@link KeyFamily.Builder#text}), since a key stays under 100 bytes:
 * itself where it fits once percent-encoded, else its beginning, a {@code ~} and a part of its SHA-256. A text that has a
 * {@code ~} of its own is shortened too, so nothing is mistaken for another's hash.
 */
public final class ShortName {
    private static final int ESCAPE = 3;

    private ShortName() {}

    /**
     * @param maxBytes of the variable, as they stand in the key
     * @param hashCharacters six bits each: with 14, two of a billion texts meet with a chance of one in forty million
     */
    public static String of(String text, int maxBytes, int hashCharacters) {
        if (fits(text, maxBytes)) {
            return text;
        }
        int end = 0;
        int bytes = 0;
        while (end < text.length()) {
            int next = text.offsetByCodePoints(end, 1);
            bytes += encodedLength(text.substring(end, next));
            if (bytes > maxBytes - 1 - hashCharacters) {
                break;
            }
            end = next;
        }
        return text.substring(0, end) + "~" + hash(text, hashCharacters);
    }

    private static boolean fits(String text, int maxBytes) {
        return text.length() <= maxBytes && text.indexOf('~') < 0 && encodedLength(text) <= maxBytes;
    }

    private static int encodedLength(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            bytes += encodedLength(text.charAt(i));
        }
        return bytes;
    }

    /** Each byte of UTF-8 that cannot stand for itself takes three; half a surrogate pair is two of four bytes. */
    private static int encodedLength(char c) {
        if (c < 0x80) {
            return Segment.isPlain(c) ? 1 : ESCAPE;
        }
        return ESCAPE * (c < 0x800 || Character.isSurrogate(c) ? 2 : 3);
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
