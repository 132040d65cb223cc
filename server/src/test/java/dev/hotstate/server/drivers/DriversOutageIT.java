package dev.hotstate.server.drivers;

import static dev.hotstate.server.RunningServer.tree;
import static dev.hotstate.server.drivers.DriversClient.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Redis is away, or has lost everything: who is free is still answered, and what was decided stays decided. Each test has
 * a part of the world to itself.
 */
@ExtendWith(Testkit.class)
class DriversOutageIT {

    @Test
    void whoFallsSilentIsTold(PostgresDatabase database) {
        try (var redis = RedisServer.start();
                var server = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_DRIVERS_HEARTBEAT", "3s"))) {
            var client = new DriversClient(server);
            try (var events = server.listen("drivers")) {
                client.locate("quiet", 70, 70);
                events.awaitInOrder("drivers.status");
            }
            try (var events = server.listen("drivers")) {
                events.awaitInOrder("drivers.status");
            }
            assertThat(client.status("quiet")).isEqualTo("OFFLINE");
        }
    }

    @Test
    void withoutRedisPostgresqlSaysWhoIsFree(PostgresDatabase database) {
        try (var redis = RedisServer.start();
                var server = RunningServer.on(redis.uri(), database)) {
            var client = new DriversClient(server);
            client.locate("near", 10.01, 10);
            client.locate("far", 10.02, 10);
            client.locate("busy", 10.001, 10);
            client.mark("busy", "BUSY");
            Eventually.until(
                    "PostgreSQL has them",
                    () -> server.json("/drivers/map?south=9&west=9&north=11&east=11")
                                    .get("items")
                                    .size()
                            == 3);
            redis.pause();
            Eventually.until("PostgreSQL answers", () -> {
                var found = client.send("GET", "/drivers/available?lat=10&lon=10");
                return found.statusCode() == 200
                        && tree(found).get("source").asText().equals("postgres")
                        && texts(tree(found).get("items"), "id").equals(List.of("near", "far"));
            });
            assertThat(client.send("POST", "/reservations", "{'lat':10,'lon':10}")
                            .statusCode())
                    .isEqualTo(503);
            assertThat(client.send("PATCH", "/drivers/near/location", "{'lat':10,'lon':10}")
                            .statusCode())
                    .isEqualTo(503);
            redis.resume();
            Eventually.until(
                    "Redis answers",
                    () -> tree(client.send("GET", "/drivers/available?lat=10&lon=10"))
                            .path("source")
                            .asText()
                            .equals("redis"));
        }
    }

    @Test
    void whatRedisLosesComesBackWithTheNextFixes(PostgresDatabase database) {
        try (var redis = RedisServer.start();
                var server = RunningServer.on(redis.uri(), database)) {
            var client = new DriversClient(server);
            client.locate("left", 50.01, 50);
            client.locate("driving", 50.001, 50);
            client.mark("driving", "BUSY");
            redis.flushAll();
            Eventually.until("fixes are taken again", () -> {
                var fix = client.send("PATCH", "/drivers/left/location", "{'lat':50.01,'lon':50}");
                return fix.statusCode() == 200;
            });
            Eventually.until("it is found in Redis", () -> {
                var found = tree(client.send("GET", "/drivers/available?lat=50&lon=50"));
                return found.path("source").asText().equals("redis")
                        && texts(found.get("items"), "id").equals(List.of("left"));
            });
            assertThat(client.locate("driving", 50.001, 50).get("status").asText())
                    .isEqualTo("BUSY");
        }
    }
}
