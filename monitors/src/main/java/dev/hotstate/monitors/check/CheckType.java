package dev.hotstate.monitors.check;

import java.util.Locale;

/** What kind of thing a monitor looks at. */
public enum CheckType {
    HTTP,
    TCP,
    DNS,
    TLS,
    /** Nobody is asked: the watched job reports by itself. */
    PUSH,
    REDIS,
    POSTGRES;

    /** As it is written in the API. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
