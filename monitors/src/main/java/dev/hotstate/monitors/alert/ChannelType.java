package dev.hotstate.monitors.alert;

import java.util.Locale;

/** How a channel is spoken to. */
public enum ChannelType {
    WEBHOOK,
    SLACK,
    EMAIL;

    /** As it is written in the API. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
