package dev.hotstate.monitors;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.Due;
import dev.hotstate.core.Events;
import dev.hotstate.core.Follower;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Parts;
import dev.hotstate.core.Redis;
import dev.hotstate.monitors.alert.AlertOptions;
import dev.hotstate.monitors.alert.Alerting;
import dev.hotstate.monitors.alert.Channels;
import dev.hotstate.monitors.alert.PostgresOutbox;
import dev.hotstate.monitors.check.Checker;
import dev.hotstate.monitors.check.CheckerOptions;
import dev.hotstate.monitors.check.Outcome;
import dev.hotstate.monitors.history.History;
import dev.hotstate.monitors.history.HistoryOptions;
import dev.hotstate.store.Database;
import dev.hotstate.store.MigrationSet;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All of the uptime monitor, put together. {@link #start} reads from top to bottom; it ends in the opposite order. The
 * doors are {@link #definitions}, {@link #monitors}, {@link #incidents}, {@link #pings}, {@link #maintenance},
 * {@link #channels}, {@link #alerting} and {@link #history}.
 */
public final class Monitoring implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Monitoring.class);

    private final Parts parts;
    private final Directory directory;
    private final Definitions definitions;
    private final Maintenance maintenance;
    private final Channels channels;
    private final Alerting alerting;
    private final History history;
    private final Incidents incidents;
    private final Monitors monitors;
    private final Pings pings;
    private final Reminders reminders;
    private final Watchkeeping watchkeeping;
    private final StateNews news;

    /**
     * What it stands on, all of which outlives it.
     *
     * @param clock the wall clock; whatever decides goes by Redis's
     */
    public record Ground(
            Redis redis,
            Database database,
            Incarnations incarnations,
            Events events,
            MeterRegistry meters,
            InstantSource clock) {}

    /**
     * @param partitions into how many the monitors are divided; all instances must agree
     * @param checks under way at once on this instance
     * @param perHost of them to one host
     */
    public record Options(
            int partitions,
            int checks,
            int perHost,
            CheckerOptions checker,
            AlertOptions alerts,
            HistoryOptions history) {
        public static final Options DEFAULTS =
                new Options(1, 500, 50, CheckerOptions.DEFAULTS, AlertOptions.DEFAULTS, HistoryOptions.DEFAULTS);

        public Options {
            requireBetween("partitions", partitions, 64);
            requireBetween("checks", checks, 10_000);
            requireBetween("per_host", perHost, checks);
        }

        private static void requireBetween(String field, int value, int most) {
            if (value < 1 || value > most) {
                throw new IllegalArgumentException(field + " must be 1 to " + most + ", not " + value);
            }
        }
    }

    /** The tables of this module. */
    public static MigrationSet migrations() {
        return MigrationSet.of("monitors");
    }

    /** Begins to check. If it throws, it has left nothing running. */
    public static Monitoring start(Ground ground, Options options) {
        return Parts.together("monitors", parts -> new Monitoring(ground, options, parts));
    }

    private Monitoring(Ground ground, Options options, Parts parts) {
        this.parts = parts;
        Redis redis = ground.redis();
        Database database = ground.database();
        InstantSource clock = ground.clock();
        Partitions partitions = new Partitions("m", options.partitions());

        // What a rebuild needs comes first: where Redis is empty, all else starts while the monitors are brought back.
        this.directory = parts.keep(Directory.load(database));
        this.maintenance = parts.keep(Maintenance.load(database, clock, directory::missing));
        this.history = parts.keep(History.of(database, options.history(), ground.meters(), clock));
        RedisPlaces places = new RedisPlaces(redis, ground.incarnations(), partitions);
        PostgresOutbox outbox = new PostgresOutbox(database);
        PostgresIncidents stored = new PostgresIncidents(database, outbox);
        ground.incarnations()
                .watch(
                        "monitors",
                        partitions.all(),
                        new MonitorRebuild(directory, partitions, places, stored, history::latest, maintenance, clock));

        history.begin();
        Checker checker = parts.keep(Checker.open(options.checker(), clock));
        Function<Monitor, Outcome> asked = monitor -> checker.check(monitor.check());
        this.channels = new Channels(database, clock);
        this.alerting = parts.keep(Alerting.start(database, options.alerts(), ground.meters(), clock));
        this.definitions = new Definitions(database, directory, clock, channels::missing);
        this.news = parts.keep(new StateNews(ground.events()));

        RedisLive live = new RedisLive(redis, partitions);
        RedisOutages outages = new RedisOutages(redis, ground.incarnations());
        Agenda agenda = new Agenda(redis, ground.incarnations(), MonitorKeys.SCHEDULE, MonitorKeys.FENCES);
        Settler settler = parts.keep(new Settler(
                outages,
                partitions,
                directory,
                new PostgresTelling(database, outbox),
                new Telling(agenda, partitions)));
        Function<List<Monitor>, Map<String, Live>> look = some -> live.look(some, maintenance::covers);
        Checks checks = new Checks(
                asked,
                new RedisOutcomes(redis, ground.incarnations()),
                maintenance,
                new Aftermath(directory::find, history::add, settler, news, new CheckMeters(ground.meters())),
                look);
        Hosts hosts = new Hosts(options.perHost());
        Runner runner = parts.keep(new Runner(agenda, live, directory, checks, options.checks(), hosts));

        this.incidents = new Incidents(stored, outbox, news, clock);
        this.monitors = new Monitors(
                directory,
                live,
                new RedisWhole(redis, ground.incarnations(), partitions),
                maintenance,
                agenda,
                partitions,
                checks,
                hosts,
                asked,
                clock);
        this.pings =
                new Pings(directory, partitions, agenda, new RedisPings(redis, ground.incarnations()), checks, look);
        Holds holds = new Holds(stored, directory, look, clock, this::tellReleased);
        this.reminders = new Reminders(stored, directory, maintenance, look, clock);
        this.watchkeeping = new Watchkeeping(directory, maintenance, live, places, partitions, outages, stored, clock);

        Gauge.builder("hotstate.monitors.checks.inflight", runner, Runner::underWay)
                .register(ground.meters());
        Gauge.builder("hotstate.monitors.definitions", directory, Directory::size)
                .register(ground.meters());
        Follower deciding = parts.keep(new Follower("holds", holds::decide));
        Follower covering = parts.keep(new Follower("windows of maintenance", watchkeeping::cover));
        maintenance.follow();
        directory.follow(new Placement(places, partitions, maintenance, news, clock));
        settler.start();
        deciding.start();
        covering.start();
        runner.start(partitions.all());
    }

    /** Tells the dashboards and the senders of incidents, and has a monitor's parents looked at when it is down. */
    private final class Telling implements Settler.IncidentListener {
        private final Agenda agenda;
        private final Partitions partitions;

        Telling(Agenda agenda, Partitions partitions) {
            this.agenda = agenda;
            this.partitions = partitions;
        }

        @Override
        public void opened(Monitor monitor, Incident incident) {
            alerting.nudge();
            news.incident("opened", incident);
            monitor.dependsOn().forEach(this::checkSoon);
        }

        @Override
        public void closed(Incident incident) {
            alerting.nudge();
            news.incident("closed", incident);
        }

        private void checkSoon(String parent) {
            boolean asked = directory
                    .find(parent)
                    .map(Definition::monitor)
                    .filter(monitor -> !monitor.paused() && monitor.push() == null)
                    .isPresent();
            if (asked) {
                try {
                    agenda.put(partitions.of(parent), parent, Due.now());
                } catch (HotstateException notNow) {
                    log.debug("{} is checked in its turn: {}", parent, notNow.getMessage());
                }
            }
        }
    }

    private void tellReleased(Incident incident) {
        alerting.nudge();
        news.incident("released", incident);
    }

    public Definitions definitions() {
        return definitions;
    }

    public Directory directory() {
        return directory;
    }

    public Maintenance maintenance() {
        return maintenance;
    }

    public Channels channels() {
        return channels;
    }

    public Alerting alerting() {
        return alerting;
    }

    public History history() {
        return history;
    }

    public Incidents incidents() {
        return incidents;
    }

    public Monitors monitors() {
        return monitors;
    }

    public Pings pings() {
        return pings;
    }

    /** To be called every few seconds, by any instance. */
    public void remind() {
        reminders.tellDue();
        alerting.nudge();
    }

    /** To be called every minute or so, by any instance: incidents of deleted monitors end. */
    public void abandonDeleted() {
        watchkeeping.abandon();
    }

    /** To be called every hour or so, by any instance: the history of deleted monitors goes. */
    public void forgetDeleted() {
        // In this order: a monitor that has a history was there before it.
        Set<String> names = history.names();
        names.removeAll(definitions.historyNames());
        history.forget(names);
    }

    /**
     * To be called every minute or so, by any instance: Redis is reminded of open incidents that it does not know, and
     * forgets those that are closed.
     */
    public void recallForgotten() {
        watchkeeping.recall();
        watchkeeping.forgetClosed();
    }

    @Override
    public void close() {
        parts.close();
    }
}
