package dev.hotstate.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;

/** 256 random bits, and their hash. */
final class Secret {
    private static final SecureRandom RANDOM = new SecureRandom();
    // Looked at before anything is computed: what cannot be a secret costs nothing.
    private static final Pattern SHAPE = Pattern.compile("hs_[A-Za-z0-9_-]{43}");

    private Secret() {}

    static String random() {
        return "hs_" + text(32);
    }

    /** An id that tells nothing and is not guessed at either. */
    static String id() {
        return "tok-" + text(9).replace('_', '-');
    }

    /** The hash of what has the shape of a secret. */
    static Optional<byte[]> hash(String secret) {
        return SHAPE.matcher(secret).matches() ? Optional.of(sha256(secret)) : Optional.empty();
    }

    private static String text(int bytes) {
        var random = new byte[bytes];
        RANDOM.nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    private static byte[] sha256(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
