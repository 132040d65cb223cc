package dev.hotstate.monitors.alert;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;

/** What must be known to send to a channel, by its type. */
public sealed interface Settings permits Webhook, Slack, Email {
    ChannelType type();

    /**
     * With the stored secrets in place of those to be kept.
     *
     * @throws IllegalArgumentException when that would hand a secret to another server than the one it was given for
     */
    Settings over(Settings stored);

    /** @throws IllegalArgumentException when something that is needed is to be kept, and there is nothing to keep */
    Settings alone();

    /** Every secret text in it. */
    List<String> secrets();

    /** Nothing of the text is in the message: the path may be a secret. */
    static URI url(String text) {
        return parsed(text)
                .filter(url -> text.length() <= 2048)
                .filter(url -> "http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()))
                .filter(url -> url.getHost() != null && url.getRawUserInfo() == null && url.getRawFragment() == null)
                .orElseThrow(() -> new IllegalArgumentException("url must be an http or https URL of at most 2048"
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
