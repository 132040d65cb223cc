package dev.hotstate.drivers;

import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Parts;
import dev.hotstate.core.Redis;
import dev.hotstate.store.Database;
import dev.hotstate.store.MigrationSet;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * All of drivers, put together. {@link #start} reads from top to bottom; it ends in the opposite order. The door is
 * {@link #drivers}.
 */
public final class Driving implements AutoCloseable {
    /** Who was not heard of for so many heartbeats, but was not made OFFLINE, is looked at. */
    private static final int SILENT_HEARTBEATS = 3;

    /** By then PostgreSQL has heard of the moves that were under way when a region was lost. */
    private static final Duration MOVES_TOLD = Duration.ofSeconds(5);

    private static final Duration RESERVATIONS_KEPT = Duration.ofDays(30);

    private final Parts parts;
    private final Options options;
    private final InstantSource clock;
    private final Drivers drivers;
    private final WriteBehind behind;
    private final Upkeep upkeep;
    private final Removals removals;
    private final RegionBook regions;
    private final DriverRebuild rebuild;
    private final PostgresReservations reservations;
    private final List<Consumer<DriverChange>> listeners = new CopyOnWriteArrayList<>();

    /**
     * What it stands on, all of which outlives it.
     *
     * @param clock the wall clock; whatever decides goes by Redis's, and of reservations by PostgreSQL's
     */
    public record Ground(
            Redis redis,
            Database database,
            Incarnations incarnations,
            Events events,
            MeterRegistry meters,
            InstantSource clock) {}

    /**
     * @param heartbeat how long a driver is AVAILABLE after it was heard of
     * @param scoring how candidates are ordered where distance alone does not decide
     * @param writeBehind how often positions are written to PostgreSQL: what has come since the last time that this
     *     succeeded is what a crash loses there, an interval of them as long as PostgreSQL keeps up ({@link Driving#lag})
     * @param sweep how often silent drivers and ended reservations are looked for
     * @param forget how long after it was last heard of Redis lets go of a driver that nobody has decided about
     */
    public record Options(Duration heartbeat, Scoring scoring, Duration writeBehind, Duration sweep, Duration forget) {
        public static final Options DEFAULTS = new Options(
                Duration.ofSeconds(60),
                WeightedScoring.DEFAULTS,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                Duration.ofDays(7));

        public Options {
            requireBetween("heartbeat", heartbeat, Duration.ofSeconds(1), Duration.ofDays(1));
            requireBetween("write_behind", writeBehind, Duration.ofMillis(10), Duration.ofMinutes(1));
            requireBetween("sweep", sweep, Duration.ofMillis(10), Duration.ofHours(1));
            requireBetween("forget", forget, heartbeat, Duration.ofDays(3_650));
        }

        private static void requireBetween(String field, Duration value, Duration least, Duration most) {
            if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
                throw new IllegalArgumentException(field + " must be from " + least + " to " + most + ", not " + value);
            }
        }
    }

    /** The tables of this module. */
    public static MigrationSet migrations() {
        return MigrationSet.of("drivers");
    }

    /** Begins to sweep and to write behind. If it throws, it has left nothing running. */
    public static Driving start(Ground ground, Options options) {
        return Parts.together("drivers", parts -> new Driving(ground, options, parts));
    }

    private Driving(Ground ground, Options options, Parts parts) {
        this.parts = parts;
        this.options = options;
        this.clock = ground.clock();
        Database database = ground.database();
        Incarnations passes = ground.incarnations();
        Consumer<DriverChange> changes = change -> listeners.forEach(listener -> listener.accept(change));

        PostgresSide postgres = PostgresSide.of(database);
        PostgresDrivers stored = postgres.drivers();
        PostgresMap storedMap = new PostgresMap(database);
        RedisSide redis = RedisSide.of(ground.redis(), passes, options.heartbeat());
        this.reservations = postgres.reservations();

        this.rebuild = new DriverRebuild(stored, redis.truth());
        this.regions = parts.keep(new RegionBook(new PostgresRegions(database), passes, rebuild));
        Supplier<Atlas> atlas = regions::atlas;
        this.behind = parts.keep(new WriteBehind(new PostgresFixes(database), postgres.truth(), options.writeBehind()));
        Settling settling = new Settling(redis.truth(), behind, changes);
        Journeys journeys = new Journeys(redis, stored, settling, passes, regions);
        Tallies tallies = new Tallies(redis.look(), storedMap, atlas);
        this.drivers = new LiveDrivers(
                new Locator(redis.fixes(), atlas, journeys, behind, changes),
                new Registry(redis.look(), postgres, settling, journeys, behind),
                new Finder(
                        redis.search(),
                        new PostgresSearch(database, options.heartbeat()),
                        atlas,
                        options.scoring(),
                        clock),
                new Reserving(redis, reservations, settling, atlas),
                new LiveDrivers.Watching(tallies, new Charting(storedMap), regions));
        Sweeper sweeper = new Sweeper(redis, postgres, settling, behind, atlas);
        this.upkeep = new Upkeep(redis, postgres, settling, behind);
        this.removals = new Removals(redis, stored, journeys, atlas, clock);

        gauges(ground.meters());
        regions.start();
        behind.start();
        parts.follow("silent drivers", options.sweep(), sweeper::sweep);
        parts.follow("lapsed reservations", options.sweep(), sweeper::lapse);
        parts.follow("untold decisions", upkeep::reconcile);
        parts.follow("moves", this::moveOn);
        parts.follow("counts", tallies::sample);
    }

    private void moveOn() {
        removals.completeMoves();
        removals.dispel(rebuild.ended(MOVES_TOLD));
        removals.evacuate();
        regions.dropEmpty(removals::clear);
    }

    private void gauges(MeterRegistry meters) {
        Gauge.builder("hotstate.drivers.behind.drivers", behind, WriteBehind::size)
                .register(meters);
        Gauge.builder(
                        "hotstate.drivers.behind.age",
                        behind,
                        waiting -> waiting.lag().toMillis() / 1000.0)
                .baseUnit("seconds")
                .register(meters);
    }

    public Drivers drivers() {
        return drivers;
    }

    /** How many drivers' positions wait for PostgreSQL on this instance, and for how long. */
    public Lag lag() {
        return new Lag(behind.size(), behind.lag());
    }

    /** What a crash of this instance would lose to PostgreSQL; Redis has it. */
    public record Lag(int drivers, Duration age) {}

    /** Tells whoever wants to know of drivers whose status changed: on the instance that changed it. */
    public void listen(Consumer<DriverChange> listener) {
        listeners.add(listener);
    }

    /** To be called every minute or so, by any instance: what an instance that died had left to tell PostgreSQL. */
    public void findSilent() {
        upkeep.findSilent(options.heartbeat().multipliedBy(SILENT_HEARTBEATS));
    }

    /** To be called every hour or so, by any instance: Redis lets go of who was silent for long, and of old moves. */
    public void forgetOld() {
        upkeep.forget(options.forget());
        removals.bury();
        reservations.forget(clock.instant().minus(RESERVATIONS_KEPT));
    }

    @Override
    public void close() {
        parts.close();
    }
}
