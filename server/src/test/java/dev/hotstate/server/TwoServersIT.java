package dev.hotstate.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.RedisSnapshot;
import dev.hotstate.testkit.Testkit;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two servers on one Redis that loses its data in every way it can. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TwoServersIT {
    private static final Logger LOG = LoggerFactory.getLogger(TwoServersIT.class);

    private final PostgresDatabase database;
    private final RedisServer redis = RedisServer.start("appendonly yes", "appendfsync always");
    private List<RunningServer> servers = List.of();
    private RedisSnapshot old;

    TwoServersIT(PostgresDatabase database) {
        this.database = database;
    }

    @BeforeAll
    void start() {
        servers = Stream.generate(() -> RunningServer.on(redis.uri(), database))
                .limit(2)
                .toList();
        awaitReady(1);
        old = redis.snapshot();
    }

    @AfterAll
    void stop() {
        servers.forEach(RunningServer::close);
        redis.close();
    }

    static Stream<Arguments> losses() {
        return Stream.of(
                Arguments.of("flushed", (Consumer<TwoServersIT>) it -> it.redis.flushAll()),
                Arguments.of("replaced by an empty one", (Consumer<TwoServersIT>) it -> it.redis.restartEmpty()),
                Arguments.of("restored from an old copy", (Consumer<TwoServersIT>) it -> it.redis.restore(it.old)),
                Arguments.of("restored from a copy of a moment ago", (Consumer<TwoServersIT>)
                        it -> it.redis.restore(it.redis.snapshot())),
                Arguments.of("restarted with its data", (Consumer<TwoServersIT>) it -> it.redis.restart()));
    }

    /** The partition's row in the ledger is held, so that the time between the loss and the rebuild can be looked at. */
    @ParameterizedTest(name = "Redis is {0}")
    @MethodSource("losses")
    void aLossIsNoticedByBothAndRebuiltOnce(String loss, Consumer<TwoServersIT> lose) throws SQLException {
        var before = ledger();
        try (var first = servers.getFirst().listen("system");
                var second = servers.getLast().listen("system")) {
            try (var holding = database.connect()) {
                holding.setAutoCommit(false);
                holding.createStatement().execute("SELECT * FROM hotstate_partition FOR UPDATE");
                long begin = System.nanoTime();
                lose.accept(this);
                servers.forEach(server -> Eventually.until(
                        "the loss is shown",
                        () -> partition(server).get("state").asText().equals("rebuilding")));
                LOG.info(
                        "Redis was {}; both servers showed it after {} ms",
                        loss,
                        (System.nanoTime() - begin) / 1_000_000);
                servers.forEach(server -> assertThat(server.health()).isNotEqualTo("up"));
                first.awaitOrReset("system.partition_lost");
                second.awaitOrReset("system.partition_lost");
                holding.rollback();
            }
            awaitReady(before.incarnation + 1);
            first.awaitInOrder("system.partition_ready");
            second.awaitInOrder("system.partition_ready");
        }
        assertThat(ledger()).isEqualTo(new Row(before.incarnation + 1, before.rebuilds + 1));
    }

    private void awaitReady(long incarnation) {
        servers.forEach(server -> Eventually.until("incarnation " + incarnation + " is ready and all is up", () -> {
            var partition = partition(server);
            return partition.get("state").asText().equals("ready")
                    && partition.get("incarnation").asLong() == incarnation
                    && server.health().equals("up");
        }));
    }

    private static JsonNode partition(RunningServer server) {
        return server.part("partitions").get("partitions").get(0);
    }

    /** @param rebuilds how many were ever begun: each claim of one draws the next token */
    private record Row(long incarnation, long rebuilds) {}

    private Row ledger() throws SQLException {
        try (var connection = database.connect();
                var rows = connection
                        .createStatement()
                        .executeQuery("SELECT incarnation, token FROM hotstate_partition")) {
            rows.next();
            return new Row(rows.getLong(1), rows.getLong(2));
        }
    }
}
