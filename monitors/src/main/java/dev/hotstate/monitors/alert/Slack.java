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
            Settings.url(url.reveal());
        }
    }

    @Override
    public ChannelType type() {
        return ChannelType.SLACK;
    }

    @Override
    public Settings over(Settings stored) {
        return url.isKept() && stored instanceof Slack ? stored : alone();
    }

    @Override
    public Settings alone() {
        if (url.isKept()) {
            throw new IllegalArgumentException("url is required");
        }
        return this;
    }

    /** Errors name the path more often than the whole. */
    @Override
    public List<String> secrets() {
        return List.of(url.reveal(), Settings.url(url.reveal()).getRawPath());
    }
}
