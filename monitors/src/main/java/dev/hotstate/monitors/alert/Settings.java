package dev.hotstate.monitors.alert;

/** What must be known to send to a channel, by its type. */
public sealed interface Settings permits Webhook, Slack, Email {
    ChannelType type();
}
