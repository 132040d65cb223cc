package dev.hotstate.monitors;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Ids for monitors and windows that were given none, and the secret keys of pings. */
final class MonitorIds {
    // Without letters and digits that are taken for one another.
    private static final String DIGITS = "abcdefghijkmnpqrstuvwxyz23456789";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int SLUG = 40;
    private static final int SUFFIX = 8;

    private MonitorIds() {}

    /** The name as far as an id can have it, and 40 bits of chance: {@code billing-api-k7m2x9pd}. */
    static String random(@Nullable String name) {
        String slug = name == null ? "" : slug(name);
        return (slug.isEmpty() ? "m" : slug) + "-" + digits(randomBytes(SUFFIX));
    }

    /** The same for the same name: the name as far as an id can have it, or a part of its hash where that is nothing. */
    static String ofName(String name) {
        String slug = slug(name);
        return slug.isEmpty() ? "m-" + digits(hash(name)).substring(0, SUFFIX) : slug;
    }

    /** 120 bits that nobody guesses. */
    static String pingKey() {
        return digits(randomBytes(24));
    }

    private static String slug(String name) {
        String plain = Normalizer.normalize(name.length() > 200 ? name.substring(0, 200) : name, Normalizer.Form.NFKD)
                .replaceAll("\\p{M}+", "")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^a-z0-9]+", "-");
        String cut = plain.length() > SLUG ? plain.substring(0, SLUG) : plain;
        return cut.replaceAll("^-+|-+$", "");
    }

    private static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    /** Five bits of each byte. */
    private static String digits(byte[] bytes) {
        var text = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            text.append(DIGITS.charAt(b & 31));
        }
        return text.toString();
    }

    private static byte[] hash(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException absent) {
            throw new IllegalStateException("every Java has SHA-256", absent);
        }
    }
}
