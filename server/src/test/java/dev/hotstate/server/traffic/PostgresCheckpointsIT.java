package dev.hotstate.server.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.Testkit;
import dev.hotstate.traffic.Checkpoint;
import dev.hotstate.traffic.Checkpoint.EndpointTotals;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class PostgresCheckpointsIT {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00.123Z");

    private Database database;
    private PostgresCheckpoints checkpoints;

    @BeforeEach
    void open(PostgresServer postgres) {
        database = Database.open(DatabaseOptions.of(postgres.freshDatabase().jdbcUrl()));
        database.migrate(List.of(MigrationSet.of("traffic")));
        checkpoints = new PostgresCheckpoints(database);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void thereIsNoneAtFirst() {
        assertThat(checkpoints.latest()).isEmpty();
    }

    @Test
    void aCheckpointIsReadAsItWasWritten() {
        var written = new Checkpoint(
                NOON,
                10,
                9,
                2,
                7,
                8,
                Map.of(404, 1L, 503, 1L),
                Map.of("GET /a \"quoted\" {id}", new EndpointTotals(10, 2, 10, 15_000.5)),
                Map.of("web-1", 6L, "web-2", 4L),
                Map.of(1_769_857_200_000L, 10L));
        checkpoints.save(written);

        assertThat(checkpoints.latest()).hasValue(written);
    }

    @Test
    void theNextReplacesItUnlessThatHasCountedLess() {
        checkpoints.save(total(10));
        checkpoints.save(total(20));
        checkpoints.save(total(15));

        assertThat(checkpoints.latest()).hasValue(total(20));
    }

    @Test
    void aCheckpointThatWasWrittenBeforeItHadMaximaIsRead() {
        checkpoints.save(total(10));
        database.useHandle(handle ->
                handle.execute("UPDATE traffic_checkpoint SET totals = totals - 'max_connections' - 'max_speed'"));

        assertThat(checkpoints.latest()).hasValue(total(10));
    }

    private static Checkpoint total(long requests) {
        return new Checkpoint(NOON, requests, requests, 0, 0, 0, Map.of(), Map.of(), Map.of(), Map.of());
    }
}
