package dev.hotstate.server.http;

import java.util.LinkedHashMap;
import java.util.Map;

/** What every answer tells a browser: run nothing, guess nothing, show it to nobody else, keep nothing. */
final class SecurityHeaders {
    private final Map<String, String> headers = new LinkedHashMap<>();

    SecurityHeaders(boolean tls) {
        headers.put("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'");
        headers.put("X-Content-Type-Options", "nosniff");
        headers.put("X-Frame-Options", "DENY");
        headers.put("Referrer-Policy", "no-referrer");
        headers.put("Cross-Origin-Opener-Policy", "same-origin");
        headers.put("Cross-Origin-Resource-Policy", "same-origin");
        headers.put("Cross-Origin-Embedder-Policy", "require-corp");
        headers.put("Cache-Control", "no-store");
        if (tls) {
            headers.put("Strict-Transport-Security", "max-age=31536000");
        }
    }

    /** These headers, with the answer's own in their place where it has any. */
    Map<String, String> around(Map<String, String> own) {
        var all = new LinkedHashMap<>(headers);
        all.putAll(own);
        return all;
    }
}
