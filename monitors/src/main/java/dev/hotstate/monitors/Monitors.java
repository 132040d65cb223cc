package dev.hotstate.monitors;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.Agenda.Claimed;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.monitors.check.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The door to live monitors: how they are now, all of it from Redis, and a check at once. */
public final class Monitors {
    private static final Duration HOST_PATIENCE = Duration.ofSeconds(1);

    private final Directory directory;
    private final RedisLive redis;
    private final RedisWhole whole;
    private final Maintenance maintenance;
    private final Agenda agenda;
    private final Partitions partitions;
    private final Checks checks;
    private final Hosts hosts;
    private final Function<Monitor, Outcome> asked;
    private final InstantSource clock;

    Monitors(
            Directory directory,
            RedisLive redis,
            RedisWhole whole,
            Maintenance maintenance,
            Agenda agenda,
            Partitions partitions,
            Checks checks,
            Hosts hosts,
            Function<Monitor, Outcome> asked,
            InstantSource clock) {
        this.directory = directory;
        this.redis = redis;
        this.whole = whole;
        this.maintenance = maintenance;
        this.agenda = agenda;
        this.partitions = partitions;
        this.checks = checks;
        this.hosts = hosts;
        this.asked = asked;
        this.clock = clock;
    }

    /** A monitor and how it is. */
    public record Watched(Definition definition, Live live) {}

    /** A part of a list; {@code next} is where the following one begins, null after the last. */
    public record Part(List<Watched> items, @Nullable String next) {}

    /** By name; worst first; slowest first. */
    public enum Sort {
        NAME,
        STATE,
        LATENCY
    }

    /** What to list: null wherever it does not matter. */
    public record Query(
            @Nullable State state,
            @Nullable String tag,
            @Nullable String text,
            Sort sort,
            @Nullable String cursor,
            int limit) {}

    /**
     * @throws dev.hotstate.core.RebuildingException where states or latencies choose or sort, while some monitors are being
     *     brought back: they would be missed
     */
    public Part list(Query query) {
        Listing listing = new Listing(directory, redis, this::watched);
        return query.state() == null && query.sort() == Sort.NAME
                ? listing.part(query)
                : whole.read(() -> listing.part(query));
    }

    public Optional<Watched> find(String id) {
        return current(id).map(definition -> watched(List.of(definition)).getFirst());
    }

    /** These, in their order, each with its live side: one round trip a hundred and partition. */
    public List<Watched> watched(List<Definition> definitions) {
        Map<String, Live> lives =
                look(definitions.stream().map(Definition::monitor).toList());
        return definitions.stream()
                .map(definition -> new Watched(definition, Objects.requireNonNull(lives.get(definition.id()))))
                .toList();
    }

    /**
     * The states that some of these are in, however many they are: by the index, without a look at each. While some are
     * being brought back nobody can tell, which is {@link State#STALE}.
     */
    public Set<State> states(Collection<Definition> definitions) {
        Map<String, State> known = new HashMap<>();
        try {
            whole.read(() -> {
                redis.in(Listing.TOLD, (state, id) -> known.put(id, state));
                return known;
            });
        } catch (RebuildingException unknown) {
            return EnumSet.of(State.STALE);
        }
        return definitions.stream()
                .map(definition ->
                        definition.monitor().paused() ? State.PAUSED : known.getOrDefault(definition.id(), State.UP))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(State.class)));
    }

    Map<String, Live> look(List<Monitor> monitors) {
        return redis.look(monitors, maintenance::covers);
    }

    /**
     * How many monitors are in each state, how many checks were made a second in the last minute over all instances, and
     * how late they began.
     */
    public record Summary(
            long total,
            Map<State, Long> states,
            double checksPerSecond,
            double failuresPerSecond,
            double lagP50Ms,
            double lagP99Ms) {}

    /** @throws dev.hotstate.core.RebuildingException while some are being brought back: they would be missed in the counts */
    public Summary summary() {
        RedisLive.Counts counts = whole.read(redis::count);
        Map<State, Long> states = counts.byState();
        states.put(
                State.PAUSED,
                directory
                        .all()
                        .filter(definition -> definition.monitor().paused())
                        .count());
        Pace pace = redis.pace(counts.now());
        return new Summary(
                directory.size(),
                states,
                pace.checksPerSecond(),
                pace.failuresPerSecond(),
                pace.lagP50Ms(),
                pace.lagP99Ms());
    }

    /**
     * A check at once.
     *
     * @param recorded whether it counts: a paused monitor is asked, but stays as it is
     */
    public record CheckedNow(Outcome outcome, boolean recorded, Instant at) {}

    /**
     * Asks now, and takes the check from whoever is about to do it.
     *
     * @throws NotAskedException for a push monitor, which cannot be asked
     * @throws HotstateException when as many checks of its host as there may be are under way
     */
    public Optional<CheckedNow> check(String id) {
        return current(id).map(definition -> inItsPlace(definition.monitor()));
    }

    /** A host that is slow to answer is not asked more often because somebody is impatient. */
    private CheckedNow inItsPlace(Monitor monitor) {
        if (monitor.type() == CheckType.PUSH) {
            throw new NotAskedException("A push monitor cannot be asked: its job reports by itself.");
        }
        String host = monitor.check().host();
        enter(host);
        try {
            return check(monitor);
        } finally {
            hosts.leave(host);
        }
    }

    private void enter(String host) {
        try {
            if (!hosts.enter(host, HOST_PATIENCE)) {
                throw new HotstateException("as many checks of its host as there may be are under way");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        }
    }

    /** As any instance left it: Redis says whether this one has heard of the last change. */
    private Optional<Definition> current(String id) {
        Long version = redis.versions(partitions.of(id), List.of(id)).getFirst();
        if (version == null) {
            return directory.find(id);
        }
        try {
            return directory.require(id, version);
        } catch (HotstateException away) {
            return directory.find(id);
        }
    }

    private CheckedNow check(Monitor monitor) {
        Optional<Claimed> taken = monitor.paused()
                ? Optional.empty()
                : agenda.take(partitions.of(monitor.id()), monitor.id(), RedisOutcomes.LEASE.plus(monitor.patience()));
        if (taken.isEmpty()) {
            return new CheckedNow(asked.apply(monitor), false, clock.instant());
        }
        Instant now = taken.get().now().orElseThrow();
        Checks.Checked checked = checks.check(monitor, taken.get().claims().getFirst(), now, null);
        return new CheckedNow(
                checked.outcome(),
                checked.recorded().isPresent(),
                checked.recorded().map(Recorded::at).orElse(now));
    }
}
