package dev.hotstate.monitors.alert;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A channel as it is written: submitted, shown, and kept in PostgreSQL. A secret that is not said, or said as it is shown,
 * stays as it is stored; null takes it away. Hence the secrets are nodes, which know absent from null.
 *
 * @param id where it is said it must be the channel's
 * @param url of a webhook, or of Slack
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ChannelDocument(
        @Nullable String id,
        @Nullable String type,
        @Nullable String url,
        @Nullable JsonNode secret,
        @Nullable Map<String, String> headers,
        @Nullable String host,
        @Nullable Integer port,
        @Nullable String tls,
        @Nullable String user,
        @Nullable JsonNode password,
        @Nullable String from,
        @Nullable List<String> to) {
    private static final Map<ChannelType, Set<String>> FIELDS = Map.of(
            ChannelType.WEBHOOK, Set.of("url", "secret", "headers"),
            ChannelType.SLACK, Set.of("url"),
            ChannelType.EMAIL, Set.of("host", "port", "tls", "user", "password", "from", "to"));

    /**
     * What it says.
     *
     * @throws IllegalArgumentException with a sentence that begins with the field's name
     */
    public Channel toChannel(String ofId) {
        if (id != null && !id.equals(ofId)) {
            throw new IllegalArgumentException("id must be \"" + ofId + "\", as in the path, or not be said");
        }
        return new Channel(ofId, settings());
    }

    private Settings settings() {
        ChannelType means = word("type", ChannelType.values(), ChannelType::word, required("type", type));
        requireOnly(means, FIELDS.getOrDefault(means, Set.of()));
        return switch (means) {
            case WEBHOOK -> new Webhook(HookUrl.of(required("url", url)), secret("secret", secret), values());
            case SLACK -> new Slack(url == null ? HookUrl.KEPT : HookUrl.of(url));
            case EMAIL -> email();
        };
    }

    private void requireOnly(ChannelType means, Set<String> allowed) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("url", url);
        fields.put("secret", secret);
        fields.put("headers", headers);
        fields.put("host", host);
        fields.put("port", port);
        fields.put("tls", tls);
        fields.put("user", user);
        fields.put("password", password);
        fields.put("from", from);
        fields.put("to", to);
        fields.forEach((field, value) -> {
            if (value != null && !allowed.contains(field)) {
                throw new IllegalArgumentException(field + " is not a field of a channel of type " + means.word());
            }
        });
    }

    private Email email() {
        Email.Tls mode = tls == null ? Email.Tls.STARTTLS : word("tls", Email.Tls.values(), Email.Tls::word, tls);
        List<String> recipients = required("to", to);
        for (int i = 0; i < recipients.size(); i++) {
            required("to[" + i + "]", recipients.get(i));
        }
        return new Email(
                required("host", host),
                port == null ? usualPort(mode) : port,
                mode,
                user,
                secret("password", password),
                required("from", from),
                recipients);
    }

    private static int usualPort(Email.Tls mode) {
        return switch (mode) {
            case NONE -> 25;
            case STARTTLS -> 587;
            case IMPLICIT -> 465;
        };
    }

    /**
     * @param writing how a secret is written
     * @param place how a URL is
     */
    static ChannelDocument of(Channel channel, Function<Secret, String> writing, Function<HookUrl, String> place) {
        return switch (channel.settings()) {
            case Webhook webhook ->
                new ChannelDocument(
                        channel.id(),
                        channel.type().word(),
                        place.apply(webhook.url()),
                        node(webhook.secret(), writing),
                        written(webhook.headers(), writing),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null);
            case Slack slack ->
                new ChannelDocument(
                        channel.id(),
                        channel.type().word(),
                        place.apply(slack.url()),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null);
            case Email email ->
                new ChannelDocument(
                        channel.id(),
                        channel.type().word(),
                        null,
                        null,
                        null,
                        email.host(),
                        email.port(),
                        email.tls().word(),
                        email.user(),
                        node(email.password(), writing),
                        email.from(),
                        email.to());
        };
    }

    private Map<String, Secret> values() {
        Map<String, Secret> values = new LinkedHashMap<>();
        if (headers != null) {
            headers.forEach((name, value) -> values.put(name, Secret.of(required("headers." + name, value))));
        }
        return values;
    }

    private static Map<String, String> written(Map<String, Secret> headers, Function<Secret, String> writing) {
        Map<String, String> written = new LinkedHashMap<>();
        headers.keySet().stream().sorted().forEach(name -> written.put(name, writing.apply(headers.get(name))));
        return written;
    }

    private static @Nullable Secret secret(String field, @Nullable JsonNode node) {
        if (node == null) {
            return Secret.KEPT;
        }
        if (!node.isNull() && !node.isTextual()) {
            throw new IllegalArgumentException(field + " must be a text or null");
        }
        return node.isNull() ? null : Secret.of(node.textValue());
    }

    private static @Nullable JsonNode node(@Nullable Secret secret, Function<Secret, String> writing) {
        return secret == null ? null : TextNode.valueOf(writing.apply(secret));
    }

    private static <T> T required(String field, @Nullable T value) {
        if (value == null || (value instanceof String text && text.isBlank())) {
            throw new IllegalArgumentException(field + " is required");
        }
        return value;
    }

    private static <E extends Enum<E>> E word(String field, E[] all, Function<E, String> word, String said) {
        return Arrays.stream(all)
                .filter(value -> word.apply(value).equals(said))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(field + " must be one of "
                        + Arrays.stream(all).map(word).collect(Collectors.joining(", ")) + ", not \""
                        + Text.oneLine(said, 64) + "\""));
    }

    /** A document may be read from a body with secrets in it, and bodies end up in logs. */
    @Override
    public String toString() {
        return "ChannelDocument[type=" + type + "]";
    }
}
