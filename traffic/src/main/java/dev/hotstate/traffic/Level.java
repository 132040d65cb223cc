package dev.hotstate.traffic;

import java.time.Duration;

/** A width of slots. Each serves one {@link Window}, and its slots are kept a little longer than that. */
enum Level {
    TEN_SECONDS("10s", Duration.ofSeconds(10), Duration.ofSeconds(90)),
    MINUTE("1m", Duration.ofMinutes(1), Duration.ofMinutes(17)),
    FIVE_MINUTES("5m", Duration.ofMinutes(5), Duration.ofMinutes(70)),
    HOUR("1h", Duration.ofHours(1), Duration.ofHours(26));

    private final String word;
    private final long widthMs;
    private final long keptMs;

    Level(String word, Duration width, Duration kept) {
        this.word = word;
        this.widthMs = width.toMillis();
        this.keptMs = kept.toMillis();
    }

    /** When the slot of a time began. */
    long start(long ms) {
        return Math.floorDiv(ms, widthMs) * widthMs;
    }

    long widthMs() {
        return widthMs;
    }

    /** How long a slot stays in Redis after it was last written. */
    long keptMs() {
        return keptMs;
    }

    /** As it stands in keys. */
    @Override
    public String toString() {
        return word;
    }
}
