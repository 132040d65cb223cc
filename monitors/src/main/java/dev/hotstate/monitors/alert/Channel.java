package dev.hotstate.monitors.alert;

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

    /** As it may be shown: each secret is three stars. */
    public ChannelDocument shown() {
        return ChannelDocument.of(this, Secret::toString);
    }

    /** With the stored one's secrets where this one says to keep them. */
    Channel over(Channel stored) {
        return new Channel(id, settings.over(stored.settings));
    }

    /** Without anything to keep, as for a channel that is new. */
    Channel alone() {
        return new Channel(id, settings.alone());
    }

    /** The text without this channel's secrets, whoever has put them in there. */
    String redact(String text) {
        String redacted = text;
        for (String secret : settings.secrets()) {
            // Shorter ones would star out half of any sentence, and are no secrets.
            redacted = secret.length() < 4 ? redacted : redacted.replace(secret, Secret.MASK);
        }
        return redacted;
    }
}
