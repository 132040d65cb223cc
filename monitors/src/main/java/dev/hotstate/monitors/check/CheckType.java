package dev.hotstate.monitors.check;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

    public static Optional<CheckType> of(@Nullable String word) {
        return Arrays.stream(values()).filter(type -> type.word().equals(word)).findFirst();
    }

    /** As it is written in the API. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
