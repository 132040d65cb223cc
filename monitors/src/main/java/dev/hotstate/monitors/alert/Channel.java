package dev.hotstate.monitors.alert;

import java.util.List;
import java.util.regex.Pattern;

/** Where alerts go. What it objects to begins with the field's name in the API. */
public record Channel(String id, Settings settings) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    public Channel {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("id must be 1 to 64 of A-Z a-z 0-9 . _ -");
        }
    }

    public ChannelType type() {
        return settings.type();
    }

    /** As it may be shown: each secret is three stars, and so is what follows the server in a URL. */
    public ChannelDocument shown() {
        return ChannelDocument.of(this, Secret::toString, HookUrl::toString);
    }

    /** With the stored one's secrets where this one says to keep them. */
    Channel over(Channel stored) {
        return stored.type() == type() ? new Channel(id, over(stored.settings)) : alone();
    }

    private Settings over(Settings stored) {
        return switch (settings) {
            case Webhook webhook -> webhook.over((Webhook) stored);
            case Slack slack -> slack.over((Slack) stored);
            case Email email -> email.over((Email) stored);
        };
    }

    /** With nothing to keep, as a channel that is new. */
    Channel alone() {
        return new Channel(
                id,
                switch (settings) {
                    case Webhook webhook -> webhook.alone();
                    case Slack slack -> slack.alone();
                    case Email email -> email.alone();
                });
    }

    /** The text without this channel's secrets, whoever has put them in there. */
    String redact(String text) {
        String redacted = text;
        for (String secret : secrets()) {
            // Shorter ones would star out half of any sentence, and are no secrets.
            redacted = secret.length() < 4 ? redacted : redacted.replace(secret, Secret.MASK);
        }
        return redacted;
    }

    private List<String> secrets() {
        return switch (settings) {
            case Webhook webhook -> webhook.secrets();
            case Slack slack -> slack.secrets();
            case Email email -> email.secrets();
        };
    }
}
