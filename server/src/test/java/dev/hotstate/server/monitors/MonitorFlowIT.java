package dev.hotstate.server.monitors;

import static dev.hotstate.server.RunningServer.tree;
import static dev.hotstate.server.monitors.MonitorsClient.refused;
import static dev.hotstate.server.monitors.MonitorsClient.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.StreamSupport;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** From a target that goes down to the messages about it, over HTTP on a real server. */
@ExtendWith(Testkit.class)
class MonitorFlowIT {
    private static RunningServer server;
    private static MonitorsClient client;
    private static Watched target;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        server = RunningServer.on(redis.uri(), database);
        client = new MonitorsClient(server);
        target = new Watched();
    }

    @AfterAll
    static void stop() {
        server.close();
        target.close();
    }

    @Test
    void anOutageIsToldOnceWhenItBeginsAndOnceWhenItEnds() throws Exception {
        var hook = "{'type':'webhook','url':'" + target.url("/hook") + "','secret':'the-key'}";
        assertThat(client.send("PUT", "/channels/told", hook).statusCode()).isEqualTo(201);
        try (var events = server.listen("monitors")) {
            target.answers(200);
            client.create(
                    "{'id':'told','name':'Told','type':'http','target':'%s','interval':'1s','retries':0,'alerts':['told']}"
                            .formatted(target.url("/")));
            client.awaitState("told", "up");
            target.answers(500);
            client.awaitState("told", "down");
            Eventually.until(
                    "the beginning is told", () -> target.heard("/hook").size() == 1);
            target.answers(200);
            client.awaitState("told", "up");
            Eventually.until("the end is told", () -> target.heard("/hook").size() == 2);
            events.awaitInOrder("monitors.redefined", "monitors.incident_opened", "monitors.incident_closed");
        }
        var items = server.json("/incidents?monitor=told").get("items");
        assertThat(items).hasSize(1);
        var id = items.get(0).get("id").asText();
        assertThat(items.get(0).get("open").asBoolean()).isFalse();
        Eventually.until(
                "both are delivered",
                () -> texts(server.json("/incidents/" + id).get("deliveries"), "status")
                        .equals(List.of("delivered", "delivered")));
        var incident = server.json("/incidents/" + id);
        assertThat(server.json("/incidents?monitor=told").get("items").get(0)).isEqualTo(incident);
        assertThat(texts(incident.get("timeline"), "kind")).containsExactly("opened", "closed");
        assertThat(texts(incident.get("deliveries"), "event")).containsExactly("incident.opened", "incident.closed");

        var heard = target.heard("/hook");
        assertThat(heard.stream().map(message -> message.header("idempotency-key")))
                .containsExactly(id + "-opened-0-told", id + "-closed-0-told");
        for (var message : heard) {
            assertThat(message.header("x-hotstate-signature")).isEqualTo("sha256=" + signature(message.body()));
            assertThat(message.body()).contains("\"incident_id\":\"" + id + "\"", "\"id\":\"told\"", "started_at");
        }
        assertThat(heard.get(0).body())
                .contains("\"event\":\"incident.opened\"", "500")
                .doesNotContain("ended_at");
        assertThat(heard.get(1).body()).contains("\"event\":\"incident.closed\"", "ended_at");

        Eventually.until("history knows of both", () -> {
            var uptime = server.json("/monitors/told/uptime").get("24h");
            return uptime.isNumber() && uptime.asDouble() < 100 && uptime.asDouble() > 0;
        });
        var steps = server.json("/monitors/told/history?step=1h").get("items");
        assertThat(StreamSupport.stream(steps.spliterator(), false)
                        .mapToLong(step -> step.get("checks").asLong())
                        .sum())
                .isPositive();
        assertThat(refused(server.get("/monitors/told/history?step=1ms"))).containsExactly("step");
        assertThat(refused(server.get("/monitors/told/history?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")))
                .containsExactly("from");
    }

    @Test
    void anIncidentIsAcknowledgedByWhoeverSaysSo() {
        client.create("{'id':'acked','name':'Acked','type':'tcp','target':'127.0.0.1:1','interval':'1s','retries':0}");
        Eventually.until(
                "it is open",
                () -> server.json("/incidents?open=true&monitor=acked")
                                .get("items")
                                .size()
                        == 1);
        var id = server.json("/incidents?open=true&monitor=acked")
                .at("/items/0/id")
                .asText();
        var acked = tree(client.send("POST", "/incidents/" + id + "/ack"));
        assertThat(acked.get("acknowledged_by").asText()).isEqualTo("local");
        assertThat(texts(acked.get("timeline"), "kind")).contains("acknowledged");
        Eventually.until(
                "the monitor names it",
                () -> client.monitor("acked").get("incident_id").asText().equals(id));

        assertThat(client.send("DELETE", "/monitors/acked").statusCode()).isEqualTo(204);
        Eventually.until(
                "it ended with its monitor",
                () -> !server.json("/incidents/" + id).get("open").asBoolean());
        for (var unknown : List.of("0", "x", "99999999999999999999")) {
            assertThat(server.get("/incidents/" + unknown).statusCode())
                    .as(unknown)
                    .isEqualTo(404);
            assertThat(client.send("POST", "/incidents/" + unknown + "/ack").statusCode())
                    .isEqualTo(404);
            assertThat(client.send("POST", "/deliveries/" + unknown + "/replay").statusCode())
                    .isEqualTo(409);
        }
        assertThat(server.json("/deliveries?status=dead").get("items")).isEmpty();
    }

    @Test
    void aCheckAtOnceAnswersWhatItFound() {
        target.answers(200);
        client.create(
                "{'id':'asked','name':'Asked','type':'http','target':'%s','interval':'1h'}".formatted(target.url("/")));
        var checked = tree(client.send("POST", "/monitors/asked/check"));
        assertThat(checked.get("ok").asBoolean()).isTrue();
        assertThat(checked.get("status_code").asInt()).isEqualTo(200);
        assertThat(checked.get("recorded").asBoolean()).isTrue();
        assertThat(checked.get("error").isNull()).isTrue();
        client.awaitState("asked", "up");

        assertThat(tree(client.send("POST", "/monitors/asked/pause"))
                        .get("state")
                        .asText())
                .isEqualTo("paused");
        assertThat(tree(client.send("POST", "/monitors/asked/check"))
                        .get("recorded")
                        .asBoolean())
                .isFalse();
        assertThat(server.json("/monitors/summary").get("paused").asInt()).isPositive();
        client.send("POST", "/monitors/asked/resume");
        client.awaitState("asked", "up");
        var summary = server.json("/monitors/summary");
        assertThat(summary.get("up")).isEqualTo(summary.at("/states/up"));
        assertThat(summary.get("lag_ms").get("p99").isNumber()).isTrue();
        assertThat(client.send("POST", "/monitors/unknown/check").statusCode()).isEqualTo(404);
    }

    @Test
    void theMetricsTellOfChecksTheirLagAndTheOutbox() {
        assertThat(server.get("/metrics").body())
                .contains("hotstate_monitors_checks_seconds_count{")
                .contains("hotstate_monitors_failures_total")
                .contains("hotstate_monitors_checks_postponed_total")
                .contains("hotstate_monitors_outages_dropped_total")
                .contains("hotstate_monitors_check_lag_seconds{quantile=\"0.99\"}")
                .contains("hotstate_monitors_outbox_waiting")
                .contains("hotstate_monitors_outbox_oldest_seconds");
    }

    @Test
    void aJobReportsByItsUrl() {
        var ping = client.create("{'id':'job','name':'Job','type':'push','interval':'1h','grace':'1h'}")
                .get("ping_url")
                .asText();
        assertThat(ping).startsWith(server.url() + "/ping/");
        var path = ping.substring(server.url().length());
        assertThat(server.get(path + "/start").statusCode()).isEqualTo(200);
        assertThat(client.monitor("job").get("started_at").isNull()).isFalse();
        assertThat(server.get(path).body()).isEqualTo("{\"accepted\":true}");
        assertThat(client.monitor("job").get("state").asText()).isEqualTo("up");
        server.call("POST", path + "/fail", "disk full\n\u0000on /data\n");
        assertThat(client.monitor("job").get("state").asText()).isEqualTo("down");
        assertThat(client.monitor("job").get("error").asText()).endsWith("disk full on /data");
        server.call("POST", path + "/0", "");
        assertThat(client.monitor("job").get("state").asText()).isEqualTo("up");
        server.get(path + "/137");
        assertThat(client.monitor("job").get("error").asText()).contains("137");
        var log = "why it failed " + "x".repeat(3_000_000);
        assertThat(server.call("POST", path + "/fail", log).statusCode())
                .as("a report counts, however much it says")
                .isEqualTo(200);
        assertThat(client.monitor("job").get("error").asText())
                .contains("why it failed")
                .hasSizeLessThan(1_000);

        for (var bad : List.of(path + "/256", path + "/-1", path + "/word", "/ping/unknown")) {
            assertThat(server.get(bad).statusCode()).as(bad).isEqualTo(404);
        }
        assertThat(client.send("POST", "/monitors/job/check").statusCode()).isEqualTo(409);
        client.send("POST", "/monitors/job/pause");
        assertThat(server.get(path).body()).isEqualTo("{\"accepted\":false}");
    }

    @Test
    void aWindowCoversItsMonitors() {
        client.create(
                "{'id':'covered','name':'Covered','type':'tcp','target':'127.0.0.1:1','interval':'1s','retries':0,'tags':['shop']}");
        var window = client.send(
                "POST",
                "/maintenance",
                "{'id':'deploy','starts_at':'%s','duration':'1h','tags':['shop']}"
                        .formatted(Instant.now().minusSeconds(60)));
        assertThat(window.statusCode()).isEqualTo(201);
        assertThat(tree(window).get("active").asBoolean()).isTrue();
        client.awaitState("covered", "maintenance");
        Eventually.until(
                "the counts say so",
                () -> server.json("/monitors/summary").get("maintenance").asInt() == 1);
        assertThat(texts(server.json("/maintenance").get("items"), "id")).contains("deploy");
        assertThat(client.send("DELETE", "/maintenance/deploy").statusCode()).isEqualTo(204);
        assertThat(client.send("DELETE", "/maintenance/deploy").statusCode()).isEqualTo(404);
        client.awaitState("covered", "down");

        assertThat(refused(client.send("POST", "/maintenance", "{'cron':'0 3 * * *'}")))
                .containsExactly("duration");
        assertThat(refused(client.send("POST", "/maintenance", "{'cron':'at night','duration':'1h'}")))
                .containsExactly("cron");
        assertThat(refused(client.send(
                        "POST", "/maintenance", "{'starts_at':'2999-01-01T00:00:00Z','duration':'1h','ids':['none']}")))
                .containsExactly("ids[0]");
        assertThat(refused(client.send(
                        "POST",
                        "/maintenance",
                        "{'starts_at':'2999-01-01T00:00:00Z','duration':'1h','monitors':['covered']}")))
                .containsExactly("monitors");
    }

    @Test
    void aChannelKeepsItsSecretsToItself() {
        var made = client.send(
                "PUT",
                "/channels/quiet",
                "{'type':'webhook','url':'" + target.url("/hook-quiet")
                        + "','secret':'hush-hush','headers':{'X-Token':'hush-too'}}");
        assertThat(made.statusCode()).isEqualTo(201);
        var again =
                client.send("PUT", "/channels/quiet", "{'type':'webhook','url':'" + target.url("/hook-quiet") + "'}");
        assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
        for (var body :
                List.of(made.body(), again.body(), server.get("/channels").body())) {
            assertThat(body).doesNotContain("hush");
        }
        assertThat(tree(client.send("POST", "/channels/quiet/test")).get("ok").asBoolean())
                .isTrue();
        assertThat(target.heard("/hook-quiet").getFirst().header("x-hotstate-signature"))
                .startsWith("sha256=");

        client.send("PUT", "/channels/broken", "{'type':'webhook','url':'http://127.0.0.1:1/'}");
        var failed = client.send("POST", "/channels/broken/test");
        assertThat(failed.statusCode()).isEqualTo(200);
        assertThat(tree(failed).get("ok").asBoolean()).isFalse();
        assertThat(tree(failed).get("error").asText()).isNotBlank();

        assertThat(refused(client.send("PUT", "/channels/bad", "{'type':'pigeon'}")))
                .containsExactly("type");
        assertThat(refused(client.send("PUT", "/channels/bad", "{'type':'webhook'}")))
                .containsExactly("url");
        assertThat(refused(client.send("PUT", "/channels/test", "{'type':'webhook','url':'http://a'}")))
                .containsExactly("id");
        client.create("{'id':'user','name':'User','type':'tcp','target':'a:1','alerts':['broken'],'paused':true}");
        var used = client.send("DELETE", "/channels/broken");
        assertThat(used.statusCode()).isEqualTo(409);
        assertThat(tree(used).get("detail").asText()).contains("user");
        client.send("DELETE", "/monitors/user");
        assertThat(client.send("DELETE", "/channels/broken").statusCode()).isEqualTo(204);
        assertThat(server.get("/channels/broken").statusCode()).isEqualTo(404);
    }

    @Test
    void strangersSeeNamesAndStatesAndNothingElse() {
        var name = "<img src=x onerror=alert(1)> & \u202e'evil'";
        client.create("{'id':'shown','name':'%s','type':'tcp','target':'127.0.0.1:1','tags':['web'],'paused':true}"
                .formatted(name.replace("'", "\\u0027")));
        client.create(
                "{'id':'hidden','name':'Hidden one','type':'tcp','target':'127.0.0.1:1','tags':['private'],'paused':true}");
        var badge = server.get("/badge/shown.svg");
        assertThat(badge.headers().firstValue("Content-Type")).hasValue("image/svg+xml; charset=utf-8");
        assertThat(badge.headers().firstValue("Cross-Origin-Resource-Policy")).hasValue("cross-origin");
        assertThat(badge.body()).contains("&lt;img src=x", "paused").doesNotContain("<img", "\u202e", "'evil'");
        assertThat(server.get("/badge/shown.svg?kind=uptime&window=24h").body()).contains("unknown");
        assertThat(refused(server.get("/badge/shown.svg?kind=mood"))).containsExactly("kind");
        assertThat(server.get("/badge/hidden.svg").statusCode()).isEqualTo(404);
        assertThat(server.get("/badge/unknown.svg").statusCode()).isEqualTo(404);

        Eventually.until(
                "the page has it", () -> server.get("/status-page").body().contains("\"id\":\"shown\""));
        var page = server.get("/status-page");
        assertThat(page.body()).doesNotContain("127.0.0.1", "Hidden one", "\"error\"", "\"target\"");
        var web = StreamSupport.stream(tree(page).get("groups").spliterator(), false)
                .filter(group -> group.get("name").asText().equals("web"))
                .findFirst()
                .orElseThrow();
        assertThat(web.at("/monitors/0/name").asText()).isEqualTo(name);
        assertThat(web.at("/monitors/0/days")).hasSize(90);
    }

    private static String signature(String body) throws Exception {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("the-key".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        return HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    }
}
