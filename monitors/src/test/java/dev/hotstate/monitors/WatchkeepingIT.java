package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Due;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Passes;
import dev.hotstate.core.ReadyPartition;
import dev.hotstate.core.RebuildingException;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.monitors.RedisOutages.Outage;
import dev.hotstate.monitors.RedisOutages.Outages;
import dev.hotstate.monitors.RedisPlaces.Known;
import dev.hotstate.monitors.RedisPlaces.Place;
import dev.hotstate.monitors.alert.PostgresOutbox;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class WatchkeepingIT extends EmptyDefinitions {
    private final Partitions partitions = new Partitions("m", 4);

    @Test
    void aPartitionThatIsBeingRebuiltHoldsUpNoWindowOfTheOthers(RedisServer server) {
        try (Redis redis = connect(server);
                Maintenance maintenance = Maintenance.load(database, clock, directory::missing)) {
            Passes passes = ready(redis);
            RedisPlaces places = new RedisPlaces(redis, passes, partitions);
            RedisLive live = new RedisLive(redis, partitions);
            for (int i = 0; i < 20; i++) {
                Definition made = definitions.create(Some.monitor("m" + i)).orElseThrow();
                places.place(List.of(new Place(made, Due.now(), false)));
            }
            maintenance.create(new Window(
                    "now",
                    "now",
                    new Schedule.Once(clock.instant(), clock.instant().plus(Duration.ofHours(1))),
                    List.of(),
                    List.of()));
            // The one that comes first, so that all others come after it.
            Partition lost =
                    partitions.of(directory.all().findFirst().orElseThrow().id());
            ReadyPartition.open(redis, lost, 2);

            assertThatExceptionOfType(RebuildingException.class)
                    .isThrownBy(() -> watchkeeping(redis, passes, places, live, maintenance)
                            .cover());

            List<String> others = directory
                    .all()
                    .map(Definition::id)
                    .filter(id -> !partitions.of(id).equals(lost))
                    .toList();
            assertThat(others).isNotEmpty();
            assertThat(live.in(State.MAINTENANCE)).containsExactlyInAnyOrderElementsOf(others);
        }
    }

    @Test
    void anIncidentThatIsClosedIsForgottenThoughARebuildBroughtItBack(RedisServer server) {
        try (Redis redis = connect(server);
                Maintenance maintenance = Maintenance.load(database, clock, directory::missing)) {
            Passes passes = ready(redis);
            RedisPlaces places = new RedisPlaces(redis, passes, partitions);
            RedisLive live = new RedisLive(redis, partitions);
            Definition over = definitions.create(Some.monitor("over")).orElseThrow();
            Definition open = definitions.create(Some.monitor("open")).orElseThrow();
            PostgresTelling telling = new PostgresTelling(database, new PostgresOutbox(database));
            Instant began = clock.instant().truncatedTo(ChronoUnit.MILLIS);
            Outage ended = new Outage(began, began.plusSeconds(1), 3, OptionalLong.empty(), "refused", "raw");
            Outage current = new Outage(began, null, 3, OptionalLong.empty(), "refused", "raw");
            Incident closed = telling.tell(over.monitor(), new Outages(null, List.of(ended)))
                    .closed()
                    .getFirst();
            Incident goesOn = telling.tell(open.monitor(), new Outages(current, List.of()))
                    .opened()
                    .getFirst();
            revive(places, passes, over, closed);
            revive(places, passes, open, goesOn);
            assertThat(live.in(State.DOWN)).containsExactlyInAnyOrder("over", "open");

            watchkeeping(redis, passes, places, live, maintenance).forgetClosed();

            Map<String, Live> lives = live.look(List.of(over.monitor(), open.monitor()), maintenance::covers);
            assertThat(lives.get("over").incident()).isNull();
            assertThat(lives.get("open").incident()).isEqualTo(goesOn.id());
        }
    }

    private void revive(RedisPlaces places, Passes passes, Definition definition, Incident incident) {
        Partition partition = partitions.of(definition.id());
        String now = Long.toString(clock.instant().toEpochMilli());
        places.revive(
                partition,
                passes.of(partition),
                List.of(new Known(
                        new Place(definition, Due.now(), false),
                        Map.of("checked_at", now, "ok", "0", "latency_ms", "1"),
                        incident.fields(definition.monitor()))));
    }

    private Passes ready(Redis redis) {
        return partitions.all().stream()
                .map(partition -> ReadyPartition.open(redis, partition, 1))
                .toList()
                .getFirst();
    }

    private Watchkeeping watchkeeping(
            Redis redis, Passes passes, RedisPlaces places, RedisLive live, Maintenance maintenance) {
        return new Watchkeeping(
                directory,
                maintenance,
                live,
                places,
                partitions,
                new RedisOutages(redis, passes),
                new PostgresIncidents(database, new PostgresOutbox(database)),
                clock);
    }

    private Redis connect(RedisServer server) {
        server.flushAll();
        return Redis.connect(
                RedisOptions.of(server.uri())
                        .withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10))
                        .withClock(clock),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, MonitorKeys.SERVICE)),
                TestMeters.REGISTRY);
    }
}
