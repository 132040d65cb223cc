package dev.hotstate.server.feature;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.hotstate.core.Events;
import dev.hotstate.core.Follower;
import dev.hotstate.server.http.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Tells whoever watches what has changed: three times a second at most, and at most a hundred at a time; what was more is
 * said to be so. Of one thing only the last change is told.
 *
 * @param <C> a change as it is shown
 */
public final class ChangeNews<C> implements AutoCloseable {
    private static final int MOST = 100;
    private static final Duration PERIOD = Duration.ofMillis(330);

    private final Events events;
    private final String topic;
    private final String verb;
    private final Function<C, String> id;
    private final Map<String, C> changed = new LinkedHashMap<>();
    private boolean more;
    private final Follower telling;

    public ChangeNews(Events events, String topic, String verb, Function<C, String> id) {
        this.events = events;
        this.topic = topic;
        this.verb = verb;
        this.id = id;
        this.telling = new Follower("news of " + topic, PERIOD, () -> taken().ifPresent(this::publish));
    }

    public void start() {
        telling.start();
    }

    public synchronized void changed(C change) {
        String of = id.apply(change);
        if (changed.size() < MOST || changed.containsKey(of)) {
            changed.put(of, change);
        } else {
            more = true;
        }
    }

    @Override
    public void close() {
        telling.close();
    }

    private synchronized Optional<News<C>> taken() {
        if (changed.isEmpty()) {
            return Optional.empty();
        }
        var items = List.copyOf(changed.values());
        var news = new News<>(items.getLast(), items, more);
        changed.clear();
        more = false;
        return Optional.of(news);
    }

    /** What cannot be told now is not told later: whoever watches sees by the state itself. */
    private void publish(News<C> news) {
        events.publish(topic, verb, Json.text(news));
    }

    /** @param last whose fields stand beside the list */
    private record News<C>(@JsonUnwrapped C last, List<C> items, boolean more) {}
}
