package dev.hotstate.server.monitors;

import dev.hotstate.core.HotstateException;
import dev.hotstate.monitors.Definition;
import dev.hotstate.monitors.Filter;
import dev.hotstate.monitors.Incident;
import dev.hotstate.monitors.Monitoring;
import dev.hotstate.monitors.Monitors.Watched;
import dev.hotstate.monitors.State;
import dev.hotstate.monitors.history.Day;
import dev.hotstate.server.monitors.StatusPage.Group;
import dev.hotstate.server.monitors.StatusPage.Item;
import dev.hotstate.server.monitors.StatusPage.Subject;
import dev.hotstate.server.monitors.StatusPage.Trouble;
import dev.hotstate.server.monitors.StatusPage.Troubles;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the status page: states from Redis; history and incidents from PostgreSQL, without which the page is poorer but
 * still tells the states. At most {@value #MOST} monitors are on it, so that a stranger cannot ask for much.
 */
final class StatusPageMaker {
    private static final Logger LOG = LoggerFactory.getLogger(StatusPageMaker.class);
    private static final int MOST = 1_000;
    private static final int DAYS = 90;
    private static final int MOST_INCIDENTS = 50;
    private static final Duration RECENT = Duration.ofDays(14);
    private static final Duration PAST = Duration.ofMinutes(1);

    private static final List<@Nullable Double> NO_DAYS = Collections.nCopies(DAYS, null);
    private static final Map<String, @Nullable Double> NO_UPTIME = noUptime();

    private final Monitoring monitoring;
    private final InstantSource clock;
    private final Remembered<Past> past;

    /** What has been; it changes little within a minute. */
    private record Past(
            boolean known,
            Map<String, Map<String, @Nullable Double>> uptimes,
            Map<String, List<@Nullable Double>> days) {
        static final Past UNKNOWN = new Past(false, Map.of(), Map.of());

        /** A monitor that is newer than this has none yet; while PostgreSQL does not answer nobody has. */
        List<@Nullable Double> daysOf(Definition definition) {
            return known ? days.getOrDefault(definition.historyName(), NO_DAYS) : List.of();
        }

        Map<String, @Nullable Double> uptimeOf(Definition definition) {
            return uptimes.getOrDefault(definition.historyName(), NO_UPTIME);
        }
    }

    StatusPageMaker(Monitoring monitoring, InstantSource clock) {
        this.monitoring = monitoring;
        this.clock = clock;
        this.past = new Remembered<>(PAST, () -> past(shown()));
    }

    StatusPage make() {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        List<Definition> shown = shown();
        List<Watched> watched = monitoring.monitors().watched(shown);
        List<Definition> all = all();
        return new StatusPage(
                overall(states(watched, all)),
                now,
                all.size(),
                all.size() > shown.size(),
                LocalDate.ofInstant(now, ZoneOffset.UTC).minusDays(DAYS - 1L),
                groups(watched, past.get()),
                troubles(now));
    }

    /** Also of those that are not on the page: nobody would look for them if all seemed well. */
    private Set<State> states(List<Watched> watched, List<Definition> all) {
        Set<State> states = EnumSet.noneOf(State.class);
        watched.forEach(item -> states.add(item.live().state()));
        if (all.size() > watched.size()) {
            states.addAll(monitoring.monitors().states(all));
        }
        return states;
    }

    private List<Definition> shown() {
        var all = all();
        return all.subList(0, Math.min(all.size(), MOST));
    }

    private List<Definition> all() {
        return monitoring
                .directory()
                .select(Filter.ALL, null)
                .filter(PublicCalls::isPublic)
                .toList();
    }

    /** Of those that are watched at all. What should have been checked and was not is no good news. */
    static String overall(Collection<State> states) {
        if (states.contains(State.DOWN)) {
            return State.DOWN.word();
        }
        if (states.contains(State.DEGRADED) || states.contains(State.STALE)) {
            return State.DEGRADED.word();
        }
        if (states.contains(State.MAINTENANCE)) {
            return State.MAINTENANCE.word();
        }
        return states.contains(State.UP) ? State.UP.word() : "unknown";
    }

    private static List<Group> groups(List<Watched> watched, Past past) {
        Map<String, List<Item>> byTag = new TreeMap<>();
        List<Item> others = new ArrayList<>();
        for (Watched one : watched) {
            var tags = one.definition().monitor().tags();
            var group = tags.isEmpty() ? others : byTag.computeIfAbsent(tags.getFirst(), tag -> new ArrayList<>());
            group.add(item(one, past));
        }
        List<Group> groups = new ArrayList<>();
        byTag.forEach((tag, items) -> groups.add(new Group(tag, items)));
        if (!others.isEmpty()) {
            groups.add(new Group(null, others));
        }
        return groups;
    }

    private static Item item(Watched one, Past past) {
        return new Item(
                one.definition().id(),
                one.definition().monitor().name(),
                one.live().state().word(),
                one.live().checkedAt(),
                past.uptimeOf(one.definition()),
                past.daysOf(one.definition()));
    }

    private static Map<String, @Nullable Double> noUptime() {
        Map<String, @Nullable Double> none = new LinkedHashMap<>();
        PublicCalls.WINDOWS.forEach(window -> none.put(window, null));
        return Collections.unmodifiableMap(none);
    }

    private Past past(List<Definition> definitions) {
        List<String> names = definitions.stream().map(Definition::historyName).toList();
        try {
            Map<String, List<@Nullable Double>> days = new HashMap<>();
            for (Day day : monitoring.history().days(names, DAYS)) {
                days.computeIfAbsent(day.monitor(), id -> new ArrayList<>()).add(day.uptime());
            }
            return new Past(true, monitoring.history().uptimes(names), days);
        } catch (HotstateException away) {
            LOG.debug("The status page is without its past: {}", away.getMessage());
            return Past.UNKNOWN;
        }
    }

    private @Nullable Troubles troubles(Instant now) {
        try {
            List<String> hidden = hidden();
            return new Troubles(
                    told(monitoring.incidents().shown(true, Instant.EPOCH, hidden, MOST_INCIDENTS)),
                    told(monitoring.incidents().shown(false, now.minus(RECENT), hidden, MOST_INCIDENTS)));
        } catch (HotstateException away) {
            LOG.debug("The status page is without its incidents: {}", away.getMessage());
            return null;
        }
    }

    private List<String> hidden() {
        return monitoring
                .directory()
                .select(Filter.ALL, null)
                .filter(Predicate.not(PublicCalls::isPublic))
                .map(Definition::id)
                .toList();
    }

    /** By the name that a monitor has now; those of deleted and private ones are nobody's business. */
    private List<Trouble> told(List<Incident> incidents) {
        List<Trouble> told = new ArrayList<>();
        for (Incident incident : incidents) {
            monitoring
                    .directory()
                    .find(incident.monitor().id())
                    .filter(PublicCalls::isPublic)
                    .ifPresent(definition -> told.add(new Trouble(
                            Long.toString(incident.id()),
                            new Subject(definition.id(), definition.monitor().name()),
                            incident.startedAt(),
                            incident.endedAt(),
                            incident.acknowledgedAt() != null)));
        }
        return told;
    }
}
