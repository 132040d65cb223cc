package dev.hotstate.server.monitors;

import static dev.hotstate.server.RunningServer.tree;
import static dev.hotstate.server.monitors.MonitorsClient.refused;
import static dev.hotstate.server.monitors.MonitorsClient.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is watched, over HTTP: made, changed, listed, applied. All of it is paused, so nothing is asked. */
@ExtendWith(Testkit.class)
class MonitorDefinitionsIT {
    private static RunningServer server;
    private static MonitorsClient client;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        server = RunningServer.on(redis.uri(), database);
        client = new MonitorsClient(server);
        client.send("PUT", "/channels/ops", "{'type':'webhook','url':'http://127.0.0.1:9/'}");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aNewMonitorIsAnsweredWithItsDefaultsAndItsState() {
        var made = client.create("{'id':'plain','name':'Plain','type':'tcp','target':'127.0.0.1:9','paused':true}");
        assertThat(made.get("interval").asText()).isEqualTo("60s");
        assertThat(made.get("timeout").asText()).isEqualTo("10s");
        assertThat(made.get("retries").asInt()).isEqualTo(2);
        assertThat(made.get("retry_interval").asText()).isEqualTo("5s");
        assertThat(made.get("failure_threshold").asInt()).isEqualTo(1);
        assertThat(made.get("success_threshold").asInt()).isEqualTo(1);
        assertThat(made.get("state").asText()).isEqualTo("paused");
        assertThat(made.get("ping_url").isNull()).isTrue();
        assertThat(client.send("POST", "/monitors", "{'id':'plain','name':'P','type':'tcp','target':'a:1'}")
                        .statusCode())
                .isEqualTo(409);
        assertThat(client.monitor("plain").get("name").asText()).isEqualTo("Plain");
    }

    @Test
    void theListHasItsFieldsAndPages() {
        for (int i = 0; i < 5; i++) {
            client.create(
                    "{'id':'page-%d','name':'Page %d','type':'dns','target':'example.org','tags':['pages'],'paused':true}"
                            .formatted(i, i));
        }
        var first = server.json("/monitors?tag=pages&limit=3");
        assertThat(first.get("items")).hasSize(3);
        var names = new ArrayList<String>();
        first.get("items").get(0).fieldNames().forEachRemaining(names::add);
        assertThat(names)
                .startsWith(
                        "id",
                        "name",
                        "type",
                        "target",
                        "interval",
                        "tags",
                        "state",
                        "status_code",
                        "latency_ms",
                        "checked_at",
                        "failure_count",
                        "first_failure_at",
                        "next_run_at",
                        "error")
                .contains("beats")
                .doesNotContain("headers", "body", "auth");
        var rest = server.json(
                "/monitors?tag=pages&limit=3&cursor=" + first.get("next_cursor").asText());
        assertThat(texts(rest.get("items"), "id")).containsExactly("page-3", "page-4");
        assertThat(rest.get("next_cursor").isNull()).isTrue();
        assertThat(texts(server.json("/monitors?q=PAGE+4").get("items"), "id")).containsExactly("page-4");
        assertThat(texts(
                        server.json("/monitors?state=paused&tag=pages&sort=state")
                                .get("items"),
                        "id"))
                .hasSize(5);
        assertThat(server.json("/monitors?state=up&tag=pages").get("items")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "state=fine, state",
        "sort=age, sort",
        "limit=0, limit",
        "cursor=%21%21, cursor",
        "state=down&cursor=%21%21, cursor",
    })
    void aBadQueryIsRefusedByItsParameter(String query, String field) {
        assertThat(refused(server.get("/monitors?" + query))).containsExactly(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                               | type name",
                "{'name':'a','type':'http'}                                       | target",
                "{'name':'a','type':'web','target':'x'}                           | type",
                "{'name':'a','type':'tcp','target':'a:1','intervall':'1s'}        | intervall",
                "{'name':'a','type':'tcp','target':'a:1','interval':5}            | interval",
                "{'name':'a','type':'tcp','target':'a:1','interval':'0s'}         | interval",
                "{'name':'a','type':'tcp','target':'a:1','retries':99}            | retries",
                "{'name':'a','type':'tcp','target':'a:1','method':'PUT'}          | method",
                "{'name':'a','type':'push','target':'a:1'}                        | target",
                "{'name':'a','type':'push','cron':'every day'}                    | cron",
                "{'name':'a','type':'http','target':'http://a','assertions':['status == 200','latency <']} | assertions[1]",
                "{'name':'a','type':'tcp','target':'a:1','alerts':['ops','nobody']} | alerts[1]",
                "{'name':'a','type':'tcp','target':'a:1','depends_on':['nothing']} | depends_on[0]",
                "{'id':'summary','name':'a','type':'tcp','target':'a:1'}          | id",
                "{'id':'a b','name':'a','type':'tcp','target':'a:1'}              | id",
                "{'name':'a','type':'http','target':'http://a','auth':{'password':'x'}} | auth",
            })
    void aBadMonitorIsRefusedByItsFields(String body, String fields) {
        assertThat(refused(client.send("POST", "/monitors", body))).contains(fields.split(" "));
    }

    @Test
    void aPatchChangesWhatItSaysAndNothingElse() {
        client.create(
                "{'id':'patched','name':'One','type':'http','target':'http://127.0.0.1:9/','interval':'30s','paused':true}");
        var patched = tree(client.send("PATCH", "/monitors/patched", "{'name':'Two','interval':null}"));
        assertThat(patched.get("name").asText()).isEqualTo("Two");
        assertThat(patched.get("interval").asText())
                .as("null gives the default")
                .isEqualTo("60s");
        assertThat(patched.get("target").asText()).isEqualTo("http://127.0.0.1:9/");
        assertThat(patched.get("paused").asBoolean()).isTrue();

        assertThat(refused(client.send("PATCH", "/monitors/patched", "{'name':3}")))
                .containsExactly("name");
        assertThat(refused(client.send("PATCH", "/monitors/patched", "{'id':'other'}")))
                .containsExactly("id");
        assertThat(client.monitor("patched").get("version")).isEqualTo(patched.get("version"));
        assertThat(client.send("PATCH", "/monitors/unknown", "{}").statusCode()).isEqualTo(404);
    }

    @Test
    void aPutReplacesAllOfIt() {
        client.create("{'id':'put','name':'One','type':'tcp','target':'a:1','tags':['x'],'paused':true}");
        var put = tree(client.send("PUT", "/monitors/put", "{'name':'Two','type':'tcp','target':'a:2','paused':true}"));
        assertThat(put.get("id").asText()).isEqualTo("put");
        assertThat(put.get("tags")).isEmpty();
        assertThat(client.send("PUT", "/monitors/none", "{'name':'N','type':'tcp','target':'a:2'}")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void secretsAreNeverShownAndMasksKeepThem() {
        var made = client.create(
                "{'id':'secret','name':'S','type':'http','target':'http://127.0.0.1:9/?api_key=s3cr3t-1','paused':true,"
                        + "'headers':{'Authorization':'Bearer s3cr3t-2','X-Plain':'seen'},"
                        + "'auth':{'username':'ann','password':'s3cr3t-3'}}");
        assertThat(made.at("/headers/X-Plain").asText()).isEqualTo("seen");
        var masked = tree(client.send(
                "PATCH",
                "/monitors/secret",
                "{'name':'S2','auth':{'password':'********'},'headers':{'X-Plain':null}}"));
        assertThat(masked.at("/auth/password").asText()).isEqualTo("********");
        for (var path : List.of("/monitors", "/monitors/secret", "/status-page", "/monitors?q=secret")) {
            assertThat(server.get(path).body()).as(path).doesNotContain("s3cr3t");
        }
        var changes = client.send(
                "PUT",
                "/monitors?dry_run=true",
                "[{'id':'secret','name':'S3','type':'http','target':'http://127.0.0.1:9/?api_key=s3cr3t-9'}]");
        assertThat(changes.statusCode()).isEqualTo(200);
        assertThat(changes.body()).contains("S3").doesNotContain("s3cr3t");
        assertThat(refused(client.send(
                        "POST",
                        "/monitors",
                        "{'name':'n','type':'http','target':'http://a','headers':{'Authorization':'********'}}")))
                .containsExactly("headers.Authorization");
    }

    @Test
    void secretsDoNotFollowATargetToAnotherHost() {
        client.create("{'id':'moved','name':'Moved','type':'http','target':'https://shop.example/?token=hush-1',"
                + "'headers':{'Authorization':'hush-2'},'auth':{'username':'me','password':'hush-3'},'paused':true}");

        assertThat(refused(client.send("PATCH", "/monitors/moved", "{'target':'https://evil.example/'}")))
                .containsExactly("headers.Authorization", "auth.password");
        var shown = client.monitor("moved").toString().replace("shop.example", "evil.example");
        assertThat(refused(server.call("PUT", "/monitors/moved", shown, "Content-Type", "application/json")))
                .containsExactly("target", "headers.Authorization", "auth.password");
        assertThat(client.monitor("moved").get("target").asText()).startsWith("https://shop.example/");
        assertThat(client.send(
                                "PATCH",
                                "/monitors/moved",
                                "{'target':'https://new.example/','headers':{'Authorization':'again'},'auth':{'password':'too'}}")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void whatWasAnsweredCanBePutBackAsItIs() {
        client.create("{'id':'back-1','name':'Back','type':'http','target':'https://a.example/?token=hush',"
                + "'headers':{'Authorization':'hush'},'auth':{'username':'me','password':'hush'},"
                + "'tls':{'verify':false},'alerts':['ops'],'tags':['x'],'remind_every':'1h','paused':true}");
        client.create("{'id':'back-2','name':'Back','type':'push','cron':'0 3 * * *','grace':'5m','paused':true}");
        client.send("PUT", "/channels/back", "{'type':'slack','url':'https://hooks.slack.com/services/T/B/hush'}");
        for (String path : List.of("/monitors/back-1", "/monitors/back-2", "/channels/back", "/channels/ops")) {
            var answered = server.json(path);

            var again = server.call("PUT", path, answered.toString(), "Content-Type", "application/json");

            assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
            assertThat(tree(again)).isEqualTo(answered);
            assertThat(answered.toString()).doesNotContain("hush");
        }
        assertThat(refused(server.call(
                        "PUT",
                        "/channels/ops",
                        server.json("/channels/back").toString(),
                        "Content-Type",
                        "application/json")))
                .containsExactly("id");
        assertThat(refused(client.send("PUT", "/monitors/back-2", "{'name':'B','type':'push','stat':'up'}")))
                .containsExactly("stat");
    }

    @Test
    void aListIsAppliedAllOrNoneAndPrunesOnlyWhatItMade() {
        client.create("{'id':'by-hand','name':'By hand','type':'tcp','target':'a:1','paused':true}");
        var yaml = "- {name: Applied One, type: tcp, target: 'a:1', paused: true}\n"
                + "- {id: two, name: Two, type: tcp, target: 'a:2', paused: true}\n";
        var dry = tree(apply("?dry_run=true", yaml));
        assertThat(dry.get("created").toString()).isEqualTo("[\"applied-one\",\"two\"]");
        assertThat(server.get("/monitors/two").statusCode()).isEqualTo(404);

        assertThat(tree(apply("", yaml)).get("created")).hasSize(2);
        assertThat(tree(apply("", yaml)).get("unchanged").asInt()).isEqualTo(2);
        var changed = tree(apply("", yaml.replace("name: Two", "name: Zwei")));
        assertThat(changed.get("changes").toString())
                .isEqualTo("[{\"id\":\"two\",\"field\":\"name\",\"from\":\"Two\",\"to\":\"Zwei\"}]");

        var bad = apply(
                "",
                "- {name: Fine, type: tcp, target: 'a:1'}\n- {name: Bad, type: tcp}\n- {name: Status, type: dns, target: a}\n");
        assertThat(refused(bad)).contains("[1].target");
        assertThat(server.get("/monitors/fine").statusCode()).isEqualTo(404);
        assertThat(refused(apply("", "- {name: Status, type: dns, target: a}\n")))
                .containsExactly("[0].id");

        var less = "- {id: two, name: Zwei, type: tcp, target: 'a:2', paused: true}\n";
        assertThat(tree(apply("", less)).get("deleted")).isEmpty();
        assertThat(tree(apply("?prune=true", less)).get("deleted").toString()).isEqualTo("[\"applied-one\"]");
        assertThat(server.get("/monitors/by-hand").statusCode()).isEqualTo(200);
    }

    @Test
    void aDeletedMonitorIsGone() {
        client.create("{'id':'gone','name':'Gone','type':'tcp','target':'a:1','paused':true}");
        assertThat(client.send("DELETE", "/monitors/gone").statusCode()).isEqualTo(204);
        assertThat(client.send("DELETE", "/monitors/gone").statusCode()).isEqualTo(404);
        for (var path : List.of("", "/history", "/uptime")) {
            assertThat(server.get("/monitors/gone" + path).statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
    }

    private static HttpResponse<String> apply(String query, String yaml) {
        return server.call("PUT", "/monitors" + query, yaml, "Content-Type", "application/yaml");
    }
}
