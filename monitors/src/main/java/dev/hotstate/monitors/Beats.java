package dev.hotstate.monitors;

import dev.hotstate.monitors.Live.Beat;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The bar of last outcomes as record.lua writes it: nine characters each, the times as gaps back from the last. */
final class Beats {
    private static final int LENGTH = 9;

    private Beats() {}

    static List<Beat> parse(String text, @Nullable Instant last) {
        if (last == null) {
            return List.of();
        }
        List<Beat> beats = new ArrayList<>();
        Instant at = last;
        for (int end = text.length(); end >= LENGTH; end -= LENGTH) {
            String beat = text.substring(end - LENGTH, end);
            beats.add(new Beat(at, state(beat.charAt(0)), Integer.parseInt(beat, 1, 5, 16)));
            at = at.minusSeconds(gap(beat.substring(5)));
        }
        Collections.reverse(beats);
        return beats;
    }

    /** In seconds; a first character after f says that it is in minutes, and how many times 4096 of them there are. */
    private static long gap(String text) {
        int many = text.charAt(0) - 'g';
        return many < 0
                ? Integer.parseInt(text, 16)
                : 60L * (4096 * many + Integer.parseInt(text, 1, text.length(), 16));
    }

    private static State state(char mark) {
        return switch (mark) {
            case 'u' -> State.UP;
            case 'd' -> State.DOWN;
            case 'm' -> State.MAINTENANCE;
            default -> State.DEGRADED;
        };
    }
}
