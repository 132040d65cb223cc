package dev.hotstate.server.monitors;

import dev.hotstate.monitors.history.History;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The uptimes that badges show, each kept for a minute: a badge on a busy page costs PostgreSQL a question a minute. */
final class Uptimes {
    private static final int MOST = 1_000;
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final History history;
    private final Map<String, Remembered<Map<String, @Nullable Double>>> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Remembered<Map<String, @Nullable Double>>> eldest) {
            return size() > MOST;
        }
    };

    Uptimes(History history) {
        this.history = history;
    }

    /** By window; null where nothing is known. */
    Map<String, @Nullable Double> of(String monitor) {
        return remembered(monitor).get();
    }

    private synchronized Remembered<Map<String, @Nullable Double>> remembered(String monitor) {
        return known.computeIfAbsent(monitor, id -> new Remembered<>(FRESH, () -> history.uptime(id)));
    }
}
