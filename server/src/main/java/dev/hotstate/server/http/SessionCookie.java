package dev.hotstate.server.http;

import java.time.Duration;
import java.util.Optional;

/** The session's cookie: no script reads it, no other site sends it, and under TLS it never travels in the clear. */
public final class SessionCookie {
    private static final String NAME = "hotstate_session";

    private SessionCookie() {}

    /** A {@code Set-Cookie} value; a life of zero removes the cookie. */
    public static String set(String value, Duration life, boolean secure) {
        return "%s=%s; Path=/; Max-Age=%d; HttpOnly; SameSite=Strict%s"
                .formatted(NAME, value, life.toSeconds(), secure ? "; Secure" : "");
    }

    /** The session named in a {@code Cookie} header. */
    public static Optional<String> in(String header) {
        for (var pair : header.split(";")) {
            var trimmed = pair.trim();
            if (trimmed.startsWith(NAME + "=")) {
                return Optional.of(trimmed.substring(NAME.length() + 1));
            }
        }
        return Optional.empty();
    }
}
