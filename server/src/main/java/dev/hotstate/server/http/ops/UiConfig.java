package dev.hotstate.server.http.ops;

import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the dashboard must know before anybody has signed in; so it holds nothing that only a token should show.
 *
 * @param embedded whether Redis and PostgreSQL are the embedded ones, which are not for production
 * @param tiles of its map; null for none
 */
public record UiConfig(
        String version,
        List<String> features,
        String env,
        String instance,
        boolean tokensRequired,
        boolean embedded,
        @Nullable Tiles tiles) {
    public UiConfig {
        features = List.copyOf(features);
    }

    /** @param url with {@code {z}}, {@code {x}} and {@code {y}} in its path */
    public record Tiles(String url, String attribution) {
        private static final Pattern ORIGIN = Pattern.compile("(https?://[^/]+)/.*");

        /** The one server beside our own whose images the dashboard may show. */
        String origin() {
            var matcher = ORIGIN.matcher(url);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("url must be one of tiles, not \"" + url + "\"");
            }
            return matcher.group(1);
        }
    }
}
