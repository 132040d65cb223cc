package dev.hotstate.server.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.sql.SQLException;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What anybody may know: the status page, and whether all is well. */
@ExtendWith(Testkit.class)
class PublicCallsIT {
    private static PostgresDatabase postgres;
    private static RunningServer server;
    private static MonitorsClient client;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        postgres = database;
        server = RunningServer.on(redis.uri(), database);
        client = new MonitorsClient(server);
        assertThat(server.json("/status-page").get("groups")).isEmpty(); // remembered: nobody has a past
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aMonitorThatIsNewerThanThePastOnTheStatusPageHasThatOfNobody() {
        client.create("{'id':'elder','name':'Elder','type':'tcp','target':'127.0.0.1:1','tags':['age'],'paused':true}");
        Eventually.until(
                "the page has it", () -> server.get("/status-page").body().contains("\"id\":\"elder\""));

        client.create(
                "{'id':'younger','name':'Younger','type':'tcp','target':'127.0.0.1:1','tags':['age'],'paused':true}");

        Eventually.until(
                "the page has it too", () -> server.get("/status-page").body().contains("\"id\":\"younger\""));
        var younger = StreamSupport.stream(
                        server.json("/status-page").get("groups").spliterator(), false)
                .filter(group -> group.get("name").asText().equals("age"))
                .findFirst()
                .orElseThrow()
                .at("/monitors/1");
        assertThat(younger.get("id").asText()).isEqualTo("younger");
        assertThat(younger.get("days")).hasSize(90).allMatch(JsonNode::isNull);
        assertThat(younger.get("uptime")).hasSize(4).allMatch(JsonNode::isNull);
    }

    @Test
    void manyIncidentsOfPrivateMonitorsTakeNoPublicOnesPlaceOnTheStatusPage() throws SQLException {
        client.create("{'id':'open-to-all','name':'Open','type':'tcp','target':'127.0.0.1:1','paused':true}");
        client.create(
                "{'id':'secretive','name':'Secretive','type':'tcp','target':'127.0.0.1:1','tags':['private'],'paused':true}");
        execute("""
                INSERT INTO monitors_incidents
                    (monitor_id, monitor_name, monitor_target, started_at, ended_at, failure_count, channels, held)
                SELECT CASE n WHEN 0 THEN 'open-to-all' ELSE 'secretive' END, 'name', 'target',
                    now() - interval '2 days' + n * interval '1 second', now() - interval '1 day', 1, '{}', false
                FROM generate_series(0, 60) n ORDER BY n""");

        Eventually.until(
                "the page has it",
                () -> server.json("/status-page")
                        .at("/incidents/recent")
                        .toString()
                        .contains("open-to-all"));
        assertThat(server.get("/status-page").body()).doesNotContain("secretive");
    }

    @Test
    void anAlertThatWasGivenUpDegradesHealthForADayAndNotForEver() throws SQLException {
        String givenUp = """
                INSERT INTO monitors_deliveries (incident, kind, sequence, channel, message, status, last_attempt_at)
                VALUES (%d, 'opened', 0, 'nobody', '{}', 'dead', now() - interval '%s')""";
        execute(givenUp.formatted(990_001, "25 hours"));
        Eventually.until(
                "it is counted", () -> health().at("/figures/dead_letters").asInt() == 1);
        assertThat(health().get("status").asText()).isEqualTo("up");

        execute(givenUp.formatted(990_002, "1 hour"));
        Eventually.until("it is told", () -> health().get("status").asText().equals("degraded"));
    }

    private static JsonNode health() {
        return StreamSupport.stream(server.json("/health/ready").get("parts").spliterator(), false)
                .filter(part -> part.get("name").asText().equals("monitors"))
                .findFirst()
                .orElseThrow();
    }

    private static void execute(String sql) throws SQLException {
        try (var connection = postgres.connect();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
