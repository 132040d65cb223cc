package dev.hotstate.monitors.alert;

import java.util.List;

/**
 * An incoming webhook of Slack, or of what understands the same messages.
 *
 * @param url who knows it may post there, so all of it is the secret
 */
public record Slack(Secret url) implements Settings {
    public Slack {
        if (!url.isKept()) {
            HttpUrl.parse(url.reveal());
        }
    }

    @Override
    public ChannelType type() {
        return ChannelType.SLACK;
    }

    Slack over(Slack before) {
        return url.isKept() ? before : this;
    }

    Slack alone() {
        if (url.isKept()) {
            throw new IllegalArgumentException("url is required");
        }
        return this;
    }

    /** Errors name the path more often than the whole. */
    List<String> secrets() {
        return List.of(url.reveal(), HttpUrl.parse(url.reveal()).getRawPath());
    }
}
