package dev.hotstate.monitors;

import dev.hotstate.monitors.alert.Delivery;
import dev.hotstate.monitors.alert.PostgresOutbox;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The door to incidents: what went wrong, who was told, and what became of each message. */
public final class Incidents {
    private final PostgresIncidents incidents;
    private final PostgresOutbox outbox;
    private final StateNews news;
    private final InstantSource clock;

    Incidents(PostgresIncidents incidents, PostgresOutbox outbox, StateNews news, InstantSource clock) {
        this.incidents = incidents;
        this.outbox = outbox;
        this.news = news;
        this.clock = clock;
    }

    /** An incident with all that happened to it, and every alert's fate. */
    public record Story(Incident incident, List<Incident.Event> timeline, List<Delivery> deliveries) {}

    /**
     * Newest first.
     *
     * @param monitor of this one only; null for all
     * @param before those with a smaller number
     */
    public List<Incident> list(boolean openOnly, @Nullable String monitor, long before, int limit) {
        return incidents.list(openOnly, monitor, before, limit);
    }

    /**
     * Newest first, of monitors that are there: the open ones, or those that are over and began since.
     *
     * @param hidden monitors whose incidents are left out, and so take nobody's place
     */
    public List<Incident> shown(boolean open, Instant since, Collection<String> hidden, int limit) {
        return incidents.shown(open, since, hidden, limit);
    }

    public Optional<Story> find(long id) {
        return incidents.find(id).map(incident -> stories(List.of(incident)).getFirst());
    }

    /** Each with its story, in two statements however many they are. */
    public List<Story> stories(List<Incident> some) {
        List<Long> ids = some.stream().map(Incident::id).toList();
        Map<Long, List<Incident.Event>> events = incidents.events(ids);
        Map<Long, List<Delivery>> deliveries =
                outbox.of(ids).stream().collect(Collectors.groupingBy(Delivery::incident));
        return some.stream()
                .map(incident -> new Story(
                        incident,
                        events.getOrDefault(incident.id(), List.of()),
                        deliveries.getOrDefault(incident.id(), List.of())))
                .toList();
    }

    /**
     * Forgets those that ended longer ago than that; once an hour is often enough.
     *
     * @return how many
     */
    public int purge(Duration kept) {
        return incidents.purge(clock.instant().minus(kept));
    }

    /** Nobody is reminded of it any more; empty where there is no such incident. */
    public Optional<Story> acknowledge(long id, String by) {
        if (!incidents.acknowledge(id, by, clock.instant())) {
            return Optional.empty();
        }
        Optional<Story> story = find(id);
        story.ifPresent(found -> news.incident("acknowledged", found.incident()));
        return story;
    }
}
