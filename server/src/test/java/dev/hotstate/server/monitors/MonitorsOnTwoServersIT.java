package dev.hotstate.server.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two servers on one Redis and one PostgreSQL share the checks, and one alone makes all of them. */
@ExtendWith(Testkit.class)
class MonitorsOnTwoServersIT {
    private static final int MONITORS = 20;

    @Test
    void theWorkIsSharedAndMovesWhenOneServerGoes(RedisServer redis, PostgresDatabase database) {
        try (var target = new Watched();
                var second = RunningServer.on(redis.uri(), database)) {
            try (var first = RunningServer.on(redis.uri(), database)) {
                var client = new MonitorsClient(first);
                for (int i = 0; i < MONITORS; i++) {
                    client.create("{'id':'m%d','name':'M%d','type':'http','target':'%s','interval':'1s'}"
                            .formatted(i, i, target.url("/m" + i)));
                }
                Eventually.until(
                        "all are up as the other server sees it",
                        () -> second.json("/monitors/summary").get("up").asInt() == MONITORS);
                Eventually.until("both have checked", () -> checks(first) > 0 && checks(second) > 0);
                assertThat(client.send("PATCH", "/monitors/m0", "{'name':'Renamed'}")
                                .statusCode())
                        .isEqualTo(200);
                Eventually.until(
                        "the other server has its new name",
                        () -> second.json("/monitors/m0").get("name").asText().equals("Renamed"));
            }
            var before = checkedAt(second);
            Eventually.until(
                    "all are checked again",
                    () -> checkedAt(second).entrySet().stream()
                            .allMatch(entry -> !entry.getValue().equals(before.get(entry.getKey()))));
            assertThat(second.part("monitors").get("status").asText()).isEqualTo("up");
            assertThat(second.part("monitors").at("/figures/monitors").asInt()).isEqualTo(MONITORS);
        }
    }

    private static double checks(RunningServer server) {
        return server.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("hotstate_monitors_checks_seconds_count"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static Map<String, String> checkedAt(RunningServer server) {
        var times = new HashMap<String, String>();
        for (JsonNode item : server.json("/monitors?limit=100").get("items")) {
            times.put(item.get("id").asText(), item.get("checked_at").asText());
        }
        return times;
    }
}
