package dev.hotstate.server.audit;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.core.KeyspaceAcl;
import dev.hotstate.server.Features;
import dev.hotstate.server.RunningServer;
import dev.hotstate.server.config.Settings;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server audits its own Redis, as the least-privilege user that {@code hotstate keyspace acl} prints. */
@ExtendWith(Testkit.class)
class AuditRoutesIT {
    private static final String PASSWORD = "own-7c1e";
    private static RedisServer redis;
    private static PostgresDatabase database;
    private static RunningServer server;

    @BeforeAll
    static void start(PostgresDatabase fresh) {
        database = fresh;
        redis = RedisServer.start("requirepass " + PASSWORD, "maxmemory 200mb", "maxmemory-policy noeviction");
        var line = KeyspaceAcl.of(Features.keyspace(Settings.defaults()))
                .server()
                .setUser()
                .replace(KeyspaceAcl.PASSWORD, PASSWORD);
        var words = new CommandArgs<>(StringCodec.UTF8);
        Arrays.stream(line.split(" ")).skip(1).forEach(words::add);
        redis.commands().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), words);
        server = RunningServer.on(url(), database);
        Eventually.until("all is up", () -> server.health().equals("up"));
    }

    private static String url() {
        return "redis://hotstate:" + PASSWORD + "@127.0.0.1:" + redis.port();
    }

    @AfterAll
    static void stop() {
        server.close();
        redis.close();
    }

    @Test
    void ourOwnRedisPassesItsOwnAudit() {
        work();
        var report = audit();
        assertThat(errors(report)).isEmpty();
        assertThat(report.path("complete").asBoolean()).isTrue();
        assertThat(report.path("not_looked_at")).isEmpty();
        assertThat(report.path("families").findValuesAsText("declared")).containsOnly("true");
        assertThat(keysOf(report, "limits"))
                .as(report.path("families").toString())
                .isPositive();
        assertThat(redis.commands().aclLog())
                .as("what Redis refused the server")
                .isEmpty();
    }

    @Test
    void aKeyThatNobodyDeclaredIsFound() {
        redis.commands().set("dev:hotstate:{s0}:stray", "x");
        try {
            var report = audit();
            assertThat(rules(report)).contains("key-undeclared");
        } finally {
            redis.commands().del("dev:hotstate:{s0}:stray");
        }
    }

    @Test
    void theLastReportAndItsFiguresAreKeptAndTold() {
        try (var heard = server.listen("audit")) {
            var report = audit();
            heard.awaitInOrder("audit.finished");
            assertThat(server.json("/audit")).isEqualTo(report);
            var newest = server.json("/audit/history?limit=1");
            assertThat(newest.at("/items/0/at").asText())
                    .isEqualTo(report.path("started_at").asText());
            assertThat(newest.at("/items/0/keys").asLong())
                    .isEqualTo(report.path("keys").asLong());
            assertThat(newest.at("/items/0/families").size())
                    .isEqualTo(report.path("families").size());

            audit();
            var next = server.json("/audit/history?limit=1");
            assertThat(next.at("/items/0/id").asLong())
                    .isGreaterThan(newest.at("/items/0/id").asLong());
            var older = server.json(
                    "/audit/history?limit=1&cursor=" + next.path("next_cursor").asText());
            assertThat(older.path("items").get(0))
                    .isEqualTo(newest.path("items").get(0));
        }
        assertThat(server.get("/metrics").body())
                .contains("hotstate_audit_findings{severity=\"error\"}", "hotstate_audit_family_bytes{family=\"");
    }

    @Test
    void badQuestionsAreRefused() {
        assertThat(server.get("/audit/history?cursor=x").statusCode()).isEqualTo(400);
        assertThat(server.get("/audit/history?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")
                        .statusCode())
                .isEqualTo(400);
        assertThat(server.get("/audit/history?from=-999999999-01-01T00:00:00Z").statusCode())
                .isEqualTo(200);
    }

    @Test
    void anAuditIsMadeByScheduleWhereOneIsDeclared() {
        long before = newest(server);
        try (var other = RunningServer.on(url(), database, Map.of("HOTSTATE_AUDIT_EVERY", "1h"))) {
            Eventually.until("an audit is made by itself", () -> newest(other) > before);
        }
    }

    private static long newest(RunningServer asked) {
        return asked.json("/audit/history?limit=1").at("/items/0/id").asLong();
    }

    /** Something in many families. */
    private static void work() {
        server.call(
                "PUT",
                "/limits/rules",
                "[{\"id\":\"r\",\"algorithm\":\"fixed_window\",\"limit\":9,\"window\":\"1m\"}]",
                "Content-Type",
                "application/json");
        Eventually.until(
                "the rule is in force",
                () -> server.post("/limits/check", "{\"checks\":[{\"rule\":\"r\",\"subject\":\"s\"}]}")
                                .statusCode()
                        != 400);
        server.post("/monitors", "{\"name\":\"push\",\"type\":\"push\",\"interval\":\"1h\"}");
        var job = server.post("/jobs", "{\"name\":\"j\",\"tasks\":[{\"id\":\"a\"},{\"id\":\"b\",\"needs\":[\"a\"]}]}");
        assertThat(job.statusCode()).as(job.body()).isEqualTo(201);
    }

    private static JsonNode audit() {
        var answer = server.post("/audit", "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return tree(answer);
    }

    private static List<String> errors(JsonNode report) {
        var errors = new ArrayList<String>();
        report.path("findings").forEach(finding -> {
            if (finding.path("severity").asText().equals("error")) {
                errors.add(finding.toString());
            }
        });
        return errors;
    }

    private static List<String> rules(JsonNode report) {
        return report.path("findings").findValuesAsText("rule");
    }

    private static long keysOf(JsonNode report, String owner) {
        long keys = 0;
        for (var family : report.path("families")) {
            keys += family.path("owner").asText().equals(owner)
                    ? family.path("keys").asLong()
                    : 0;
        }
        return keys;
    }
}
