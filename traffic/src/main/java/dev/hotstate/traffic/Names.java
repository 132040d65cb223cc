package dev.hotstate.traffic;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** How a name of any length stands in a key. */
final class Names {
    /** The longest that fits {@code {t}:requests:endpoint:…} under the longest prefix. */
    static final int MAX_BYTES = 44;

    private static final int HASH_CHARACTERS = 22;
    private static final int HASH_BYTES = 16;

    private Names() {}

    /**
     * The name itself where it fits once it is percent-encoded; else its beginning, a tilde and 128 bits of its digest, so
     * that two names never share a key.
     */
    static String segment(String name) {
        if (encodedBytes(name, name.length()) <= MAX_BYTES) {
            return name;
        }
        int end = 0;
        while (encodedBytes(name, name.offsetByCodePoints(end, 1)) <= MAX_BYTES - HASH_CHARACTERS - 1) {
            end = name.offsetByCodePoints(end, 1);
        }
        return name.substring(0, end) + "~" + digest(name);
    }

    private static int encodedBytes(String name, int end) {
        int bytes = 0;
        for (byte b : name.substring(0, end).getBytes(UTF_8)) {
            boolean plain = b >= ' ' && b <= '~' && b != ':' && b != '{' && b != '}' && b != '%';
            bytes += plain ? 1 : 3;
        }
        return bytes;
    }

    private static String digest(String name) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(hash, HASH_BYTES));
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java has SHA-256", missing);
        }
    }
}
