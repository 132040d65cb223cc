package dev.hotstate.monitors.alert;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL that is posted to.
 *
 * @param secret the key of each message's signature; null for none
 * @param headers sent along; their values are secrets, since one of them is usually a token
 */
public record Webhook(HookUrl url, @Nullable Secret secret, Map<String, Secret> headers) implements Settings {
    private static final int MOST_HEADERS = 50;
    private static final int LONGEST = 4096;
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}");
    private static final Set<String> OURS = Set.of(
            "connection",
            "content-length",
            "content-type",
            "expect",
            "host",
            "idempotency-key",
            "transfer-encoding",
            "upgrade",
            "x-hotstate-signature");

    public Webhook {
        if (secret != null && !secret.isKept()) {
            requireText("secret", secret);
        }
        if (headers.size() > MOST_HEADERS) {
            throw new IllegalArgumentException("headers must be at most " + MOST_HEADERS + ", not " + headers.size());
        }
        headers.forEach(Webhook::requireHeader);
        headers = Map.copyOf(headers);
    }

    @Override
    public ChannelType type() {
        return ChannelType.WEBHOOK;
    }

    /** With the stored secrets in place of those to be kept, as long as they go to the same server. */
    Webhook over(Webhook before) {
        HookUrl merged = url.over(before.url);
        if (!merged.isSameServer(before.url) && headers.values().stream().anyMatch(Secret::isKept)) {
            throw new IllegalArgumentException("headers must be given again when the url names another server");
        }
        // The signature's key never travels, so it may be kept wherever the URL leads.
        Secret key = secret != null && secret.isKept() ? before.secret : secret;
        return new Webhook(merged, key, merged(before.headers));
    }

    /** With nothing to keep. */
    Webhook alone() {
        return new Webhook(url.alone(), secret != null && secret.isKept() ? null : secret, merged(Map.of()));
    }

    List<String> secrets() {
        List<String> texts = new ArrayList<>(url.secrets());
        headers.values().forEach(value -> texts.add(value.reveal()));
        if (secret != null) {
            texts.add(secret.reveal());
        }
        return texts;
    }

    private Map<String, Secret> merged(Map<String, Secret> before) {
        Map<String, Secret> merged = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, value) -> merged.put(name, value.isKept() ? stored(before, name) : value));
        return merged;
    }

    private static Secret stored(Map<String, Secret> before, String name) {
        return before.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("headers." + name + " must be given: there is no value to keep"));
    }

    private static void requireHeader(String name, Secret value) {
        if (!TOKEN.matcher(name).matches() || OURS.contains(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("headers must not have a \"" + Text.oneLine(name, 64)
                    + "\": it is no name, or one that is set anyway");
        }
        if (!value.isKept()) {
            requireText("headers." + name, value);
        }
    }

    private static void requireText(String field, Secret secret) {
        String text = secret.reveal();
        if (text.isEmpty() || text.length() > LONGEST || Text.hasControls(text)) {
            throw new IllegalArgumentException(
                    field + " must be 1 to " + LONGEST + " characters, without control characters");
        }
    }
}
