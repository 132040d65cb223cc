package dev.hotstate.monitors;

import dev.hotstate.core.Agenda;
import dev.hotstate.core.Agenda.Claimed;
import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Due;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Passes;
import dev.hotstate.core.ReadyPartition;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.monitors.Monitor.Rhythm;
import dev.hotstate.monitors.RedisPlaces.Place;
import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.monitors.check.Outcome;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One partition on a real Redis whose time stands until a test moves it, and a monitor's outcomes told to it. */
final class Bench implements AutoCloseable {
    static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    static final Rhythm MINUTELY = new Rhythm(Duration.ofSeconds(60), 2, Duration.ofSeconds(5), 2, 2);

    final SettableClock clock = SettableClock.at(NOON);
    final Partitions partitions = new Partitions("m", 1);
    final Partition partition = partitions.all().getFirst();
    final Redis redis;
    final Passes passes;
    final Agenda agenda;
    final RedisOutcomes outcomes;
    final RedisPlaces places;
    final RedisLive live;
    final RedisOutages outages;
    private long version;

    Bench(RedisTarget target) {
        target.flushAll();
        redis = Redis.connect(
                RedisOptions.of(target.uri()).withClock(clock),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, MonitorKeys.SERVICE)),
                TestMeters.REGISTRY);
        passes = ReadyPartition.open(redis, partition, 1);
        agenda = new Agenda(redis, passes, MonitorKeys.SCHEDULE, MonitorKeys.FENCES);
        outcomes = new RedisOutcomes(redis, passes);
        places = new RedisPlaces(redis, passes, partitions);
        live = new RedisLive(redis, partitions);
        outages = new RedisOutages(redis, passes);
    }

    static Monitor monitor(String id, Rhythm rhythm) {
        CheckSpec spec =
                new CheckSpec(CheckType.TCP, "localhost:1", Duration.ofSeconds(10), List.of(), CheckOptions.DEFAULTS);
        return new Monitor(id, id, spec, rhythm, null, List.of(), List.of(), List.of(), null, false);
    }

    Definition definition(Monitor monitor) {
        return definition(monitor, 1);
    }

    /** @param since the version that made it */
    Definition definition(Monitor monitor, long since) {
        return new Definition(monitor, ++version, since, "key-" + monitor.id(), false, false, NOON, NOON);
    }

    Monitor placed(String id, Rhythm rhythm) {
        Monitor monitor = monitor(id, rhythm);
        places.place(List.of(new Place(definition(monitor), Due.now(), false)));
        return monitor;
    }

    Claimed claim() {
        return agenda.claim(partition, 10, RedisOutcomes.LEASE);
    }

    /** Claims it, whether it is due or not, and records that. */
    Recorded record(Monitor monitor, Outcome outcome) {
        return record(monitor, outcome, false);
    }

    Recorded record(Monitor monitor, Outcome outcome, boolean maintenance) {
        Claimed taken =
                agenda.take(partition, monitor.id(), RedisOutcomes.LEASE).orElseThrow();
        return record(monitor, taken, outcome, maintenance).orElseThrow();
    }

    Optional<Recorded> record(Monitor monitor, Claimed taken, Outcome outcome, boolean maintenance) {
        return outcomes.record(new RedisOutcomes.Entry(
                monitor,
                taken.claims().getFirst(),
                taken.now().orElseThrow(),
                outcome,
                maintenance,
                Duration.ofMillis(3),
                null));
    }

    Recorded passes(Monitor monitor) {
        return record(monitor, Outcome.passed(Duration.ofMillis(120)));
    }

    Recorded fails(Monitor monitor) {
        return record(monitor, Outcome.failed(Duration.ofMillis(40), "connection refused", true));
    }

    /** Fails so often in a row that it counts once. */
    Recorded failsForGood(Monitor monitor) {
        return record(monitor, Outcome.failed(Duration.ofMillis(40), "certificate expired", false));
    }

    /** A monitor that failed twice, which is its threshold; PostgreSQL has not heard of it. */
    Monitor down(String id) {
        Monitor monitor = placed(id, MINUTELY);
        failsForGood(monitor);
        failsForGood(monitor);
        return monitor;
    }

    Live look(Monitor monitor) {
        return live.look(List.of(monitor), (any, at) -> false).get(monitor.id());
    }

    Map<State, Long> counts() {
        return live.count().byState();
    }

    @Override
    public void close() {
        redis.close();
    }
}
