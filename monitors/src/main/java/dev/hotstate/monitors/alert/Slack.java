package dev.hotstate.monitors.alert;

import java.util.List;

/** An incoming webhook of Slack, or of what understands the same messages. */
public record Slack(HookUrl url) implements Settings {
    @Override
    public ChannelType type() {
        return ChannelType.SLACK;
    }

    /** With the stored URL if it is to be kept. */
    Slack over(Slack before) {
        return new Slack(url.over(before.url));
    }

    /** With nothing to keep. */
    Slack alone() {
        return new Slack(url.alone());
    }

    List<String> secrets() {
        return url.secrets();
    }
}
