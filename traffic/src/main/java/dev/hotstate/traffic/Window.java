package dev.hotstate.traffic;

import java.util.ArrayList;
import java.util.List;

/**
 * How far back a figure looks. A window is made of whole slots and the one that runs now, so it reaches up to a slot
 * further back than its name says: 10 s for a minute, a minute for a quarter, 5 minutes for an hour, an hour for a day.
 */
public enum Window {
    MINUTE("1m", Level.TEN_SECONDS, 6),
    QUARTER("15m", Level.MINUTE, 15),
    HOUR("1h", Level.FIVE_MINUTES, 12),
    DAY("24h", Level.HOUR, 24);

    private final String text;
    private final Level level;
    private final int slots;

    Window(String text, Level level, int slots) {
        this.text = text;
        this.level = level;
        this.slots = slots;
    }

    /** @throws IllegalArgumentException when it is not {@code 1m 15m 1h 24h} */
    public static Window parse(String text) {
        for (Window window : values()) {
            if (window.text.equals(text)) {
                return window;
            }
        }
        throw new IllegalArgumentException("window must be 1m, 15m, 1h or 24h, not \"" + text + "\"");
    }

    Level level() {
        return level;
    }

    /** When its slots began, oldest first; the last is one ahead, for an instance whose clock is. */
    List<Long> starts(long nowMs) {
        List<Long> starts = new ArrayList<>(slots + 2);
        long current = level.start(nowMs);
        for (int i = -slots; i <= 1; i++) {
            starts.add(current + i * level.widthMs());
        }
        return starts;
    }

    /** As the API writes it. */
    @Override
    public String toString() {
        return text;
    }
}
