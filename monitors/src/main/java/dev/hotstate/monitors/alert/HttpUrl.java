package dev.hotstate.monitors.alert;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** The URL of a channel. Nothing of a text is in the refusal of it: its path may be a secret. */
final class HttpUrl {
    private static final int LONGEST = 2048;

    private HttpUrl() {}

    static URI parse(String text) {
        return parsed(text)
                .filter(url -> text.length() <= LONGEST)
                .filter(url -> "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))
                .filter(url -> url.getHost() != null && url.getRawUserInfo() == null && url.getRawFragment() == null)
                .orElseThrow(() -> new IllegalArgumentException("url must be an http or https URL of at most " + LONGEST
                        + " characters, with a host, and without user, password and fragment"));
    }

    private static Optional<URI> parsed(String text) {
        try {
            return Optional.of(new URI(text));
        } catch (URISyntaxException malformed) {
            return Optional.empty();
        }
    }
}
