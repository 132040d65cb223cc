package dev.hotstate.monitors;

import dev.hotstate.core.Due;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partitions;
import dev.hotstate.monitors.RedisPlaces.Place;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * Brings changes of definitions to Redis. Every instance does so for every change it hears of, its own and others', and
 * the first one counts: so it does not matter which of them dies between PostgreSQL and Redis. What Redis does not take,
 * because it is away or being rebuilt, the directory tells again.
 */
final class Placement implements Directory.Listener {
    private static final int AT_ONCE = 200;

    /** So many changed monitors are checked at once; up to {@link #AT_THEIR_TURNS} are spread over a second at most. */
    private static final int NO_STORM = 100;

    /** More than these come in their turns: to check them before as well would double what there is to do. */
    private static final int AT_THEIR_TURNS = 1_000;

    /** Nobody waits longer for a first look. */
    private static final Duration FIRST_LOOK = Duration.ofMinutes(1);

    private final RedisPlaces places;
    private final Partitions partitions;
    private final Maintenance maintenance;
    private final StateNews news;
    private final InstantSource clock;

    Placement(RedisPlaces places, Partitions partitions, Maintenance maintenance, StateNews news, InstantSource clock) {
        this.places = places;
        this.partitions = partitions;
        this.maintenance = maintenance;
        this.news = news;
        this.clock = clock;
    }

    @Override
    public void changed(List<Definition> definitions) {
        HotstateException failed = null;
        for (List<Definition> group :
                partitions.grouped(definitions, Definition::id).values()) {
            try {
                placeGroup(group, definitions.size());
            } catch (HotstateException notNow) {
                failed = notNow;
            }
        }
        if (failed != null) {
            throw failed;
        }
        news.redefined(definitions.stream().map(Definition::id).toList());
    }

    /** Those of one partition: one that is lost does not hold up the others. */
    private void placeGroup(List<Definition> group, int many) {
        List<Definition> news = places.unplaced(group);
        for (int from = 0; from < news.size(); from += AT_ONCE) {
            place(news.subList(from, Math.min(from + AT_ONCE, news.size())), many);
        }
    }

    private void place(List<Definition> part, int many) {
        Instant now = clock.instant();
        List<Definition> gone = part.stream().filter(Definition::deleted).toList();
        List<Place> present = part.stream()
                .filter(definition -> !definition.deleted())
                .map(definition -> new Place(
                        definition,
                        firstRun(definition.monitor(), many, now),
                        maintenance.covers(definition.monitor(), now)))
                .toList();
        if (!gone.isEmpty()) {
            places.remove(gone);
        }
        if (!present.isEmpty()) {
            places.place(present);
        }
    }

    /** A monitor that somebody has just made or changed is checked at once; a push monitor's job has its time. */
    static Due firstRun(Monitor monitor, int many, Instant now) {
        Due report = Checking.afterReport(monitor, now);
        if (report != null) {
            return report;
        }
        if (many <= NO_STORM) {
            return Due.now();
        }
        if (many <= AT_THEIR_TURNS) {
            return Due.in(Duration.ofMillis(Partitions.phase(monitor.id(), many)));
        }
        return monitor.interval().compareTo(FIRST_LOOK) <= 0
                ? Due.at(monitor.turnAfter(now))
                : Due.in(Duration.ofMillis(Partitions.phase(monitor.id(), FIRST_LOOK.toMillis())));
    }
}
