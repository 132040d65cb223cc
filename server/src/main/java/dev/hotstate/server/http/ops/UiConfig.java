package dev.hotstate.server.http.ops;

import java.util.List;

/**
 * What the dashboard must know before anybody has signed in; so it holds nothing that only a token should show.
 *
 * @param embedded whether Redis and PostgreSQL are the embedded ones, which are not for production
 */
public record UiConfig(
        String version, List<String> features, String env, String instance, boolean tokensRequired, boolean embedded) {
    public UiConfig {
        features = List.copyOf(features);
    }
}
