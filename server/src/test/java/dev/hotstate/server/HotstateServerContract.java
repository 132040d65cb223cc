package dev.hotstate.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.hotstate.core.KeyspaceAcl;
import dev.hotstate.server.config.Settings;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the whole server must do on any kind of Redis. It runs as the least-privilege user that {@code hotstate keyspace
 * acl} prints, and after each test Redis must have refused it nothing.
 */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class HotstateServerContract {
    private static final Pattern OURS =
            Pattern.compile("#\\d+ \"(audit|chores|events-reader|health|hotstate|http-watchdog"
                    + "|incarnation|keyspace|lettuce|load-tokens|partition-news|redis-probe|server-|traffic)[^\"]*\"");
    private static final String USER = "hotstate";

    /** Of a second server, so that its connections are told from those of the first, which come and go with its work. */
    private static final String SECOND_USER = "second";

    private static final String PASSWORD = "e2e-4d1f";

    private PostgresDatabase database;
    private RunningServer server;

    /** Every node of the Redis. */
    abstract List<RedisServer> nodes();

    /** Its URL with this in front of the hosts, such as {@code user:password@}. */
    abstract String urlFor(String credentials);

    /** Loses all of its data. */
    abstract void flush();

    @BeforeAll
    void startAsALeastPrivilegeUser(PostgresDatabase fresh) {
        database = fresh;
        var line = KeyspaceAcl.of(Features.keyspace(Settings.defaults()))
                .server()
                .setUser()
                .replace(KeyspaceAcl.PASSWORD, PASSWORD);
        for (var node : nodes()) {
            for (var user : List.of(USER, SECOND_USER)) {
                var words = new CommandArgs<>(StringCodec.UTF8).add("SETUSER").add(user);
                Arrays.stream(line.split(" ")).skip(3).forEach(words::add);
                node.commands().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), words);
            }
        }
        server = start(USER);
    }

    @AfterAll
    void stop() {
        server.close();
        nodes().forEach(node -> node.commands().aclDeluser(USER, SECOND_USER));
    }

    @AfterEach
    void redisRefusedNothing() {
        nodes().forEach(node -> assertThat(node.commands().aclLog()).isEmpty());
    }

    @Test
    void everyDocumentedGetAnswersAsDocumented() {
        assertThat(server.post("/audit", "").statusCode())
                .as("an audit, so that GET /audit has one")
                .isEqualTo(200);
        var paths = server.json("/openapi.json").get("paths");
        assertThat(namesOf(paths))
                .contains("/health/live", "/health/ready", "/metrics", "/openapi.json", "/docs", "/keyspace")
                .contains("/tokens", "/session", "/events", "/ui", "/ui/config.json");

        for (var path : namesOf(paths)) {
            var get = paths.get(path).get("get");
            if (get != null && !path.contains("{") && !path.equals("/events") && !asksForMore(get)) {
                var response = server.get(path);
                var documented = get.get("responses").get(String.valueOf(response.statusCode()));
                assertThat(response.statusCode()).as(path).isIn(200, 302);
                assertThat(documented).as(path + " " + response.statusCode()).isNotNull();
                if (documented.has("content")) {
                    var type = response.headers().firstValue("Content-Type").orElse("");
                    assertThat(namesOf(documented.get("content"))).as(path).contains(type.split(";")[0]);
                }
            }
        }
    }

    /** It has a parameter that must be given. */
    private static boolean asksForMore(JsonNode operation) {
        return operation.findValuesAsText("required").contains("true");
    }

    @Test
    void eachPartIsUpWithItsFigures() {
        Eventually.until("all is up", () -> server.health().equals("up"));

        assertThat(server.part("redis").get("figures").get("version").asText()).startsWith("7.");
        assertThat(server.part("redis").get("figures").get("used_memory_bytes").asLong())
                .isPositive();
        assertThat(server.part("postgres").get("figures").get("version").asText())
                .startsWith("18");
        assertThat(server.part("partitions").get("figures").get("rebuilding").asInt())
                .isZero();
        assertThat(server.get("/metrics").body())
                .contains("hotstate_redis_connections", "hikaricp_connections", "jvm_memory_used_bytes");
    }

    @Test
    void theKeyspaceIsDocumentedAndCounted() {
        Eventually.until("all is up", () -> server.health().equals("up"));

        assertThat(server.get("/keyspace", "Accept", "text/markdown").body())
                .contains("dev:hotstate:{<partition>}:incarnation");
        var keyspace = server.json("/keyspace");
        assertThat(keyspace.get("complete").asBoolean()).isTrue();
        assertThat(keyspace.get("undeclared").get("keys").asInt()).isZero();
        var counted = new ArrayList<String>();
        keyspace.get("families").forEach(family -> {
            if (family.get("keys").asInt() > 0) {
                counted.add(family.get("name").asText());
                assertThat(family.get("bytes").asLong()).as(family.toString()).isPositive();
            }
        });
        assertThat(counted).contains("incarnation", "chore:schedule");
    }

    @Test
    void aLostPartitionIsRebuiltAndThoseWhoListenAreTold() {
        Eventually.until("all is up", () -> server.health().equals("up"));
        long before = incarnation();
        try (var events = server.listen("system")) {
            assertThat(events.response().headers().firstValue("Content-Type")).hasValue("text/event-stream");
            flush();
            events.awaitInOrder("system.health");
            events.awaitOrReset("system.partition_lost");
        }
        Eventually.until(
                "the next incarnation is ready",
                () -> incarnation() == before + 1 && server.health().equals("up"));
    }

    @Test
    void aTokenIsMadeShownAndUsed() {
        var made = server.post("/tokens", "{\"name\":\"ci\",\"role\":\"viewer\"}");
        assertThat(made.statusCode()).isEqualTo(201);
        var secret = RunningServer.tree(made).get("token").asText();

        assertThat(server.json("/tokens").get("items").findValuesAsText("name")).contains("ci");
        var session = RunningServer.tree(server.get("/session", "Authorization", "Bearer " + secret));
        assertThat(session.get("role").asText()).isEqualTo("viewer");
        assertThat(session.get("name").asText()).isEqualTo("ci");
    }

    @Test
    void closingLeavesNoThreadAndNoConnection() throws Exception {
        var sessions = postgresSessions();
        var threads = liveThreads();

        try (var second = start(SECOND_USER)) {
            assertThat(second.get("/health/live").statusCode()).isEqualTo(200);
            assertThat(newSince(sessions)).hasSize(1);
            assertThat(connectionsOfTheSecond()).isNotEmpty();
        }

        Eventually.until(
                "its sessions with PostgreSQL are gone",
                () -> newSince(sessions).isEmpty());
        var open = new ArrayList<String>();
        Eventually.until("its connections to Redis are gone", open, () -> {
            open.clear();
            open.addAll(connectionsOfTheSecond());
            return open.isEmpty();
        });
        var left = new HashSet<String>();
        Eventually.until("its threads have ended", left, () -> {
            left.clear();
            left.addAll(liveThreads());
            left.removeAll(threads);
            return left.isEmpty();
        });
    }

    private RunningServer start(String user) {
        return RunningServer.on(urlFor(user + ":" + PASSWORD + "@"), database, Map.of("HOTSTATE_JOBS_HTTP", "true"));
    }

    private long incarnation() {
        var partition = server.part("partitions").get("partitions").get(0);
        return partition.get("incarnation").asLong();
    }

    private Set<String> newSince(Set<String> sessions) {
        var now = postgresSessions();
        now.removeAll(sessions);
        return now;
    }

    /** By the names of the servers that have them: how many each has changes with its work. */
    private Set<String> postgresSessions() {
        var sql = "SELECT DISTINCT application_name FROM pg_stat_activity WHERE application_name LIKE 'hotstate %'";
        var names = new HashSet<String>();
        try (var connection = database.connect();
                var rows = connection.createStatement().executeQuery(sql)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
            return names;
        } catch (SQLException broken) {
            throw new AssertionError(broken);
        }
    }

    private List<String> connectionsOfTheSecond() {
        return nodes().stream()
                .flatMap(node -> node.commands().clientList().lines())
                .filter(client -> client.contains(" user=" + SECOND_USER + " "))
                .toList();
    }

    /** By number and name, virtual ones too; those of the JDK's and the libraries' shared pools come and go. */
    private static Set<String> liveThreads() {
        try {
            var file = Files.createTempDirectory("hotstate-threads").resolve("dump");
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
            var lines = Files.readAllLines(file);
            Files.delete(file);
            Files.delete(file.getParent());
            return OURS.matcher(String.join("\n", lines))
                    .results()
                    .map(MatchResult::group)
                    .collect(Collectors.toSet());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static List<String> namesOf(JsonNode object) {
        return object.properties().stream().map(Map.Entry::getKey).toList();
    }
}
