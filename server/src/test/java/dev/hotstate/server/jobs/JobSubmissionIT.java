package dev.hotstate.server.jobs;

import static dev.hotstate.server.RunningServer.tree;
import static dev.hotstate.server.jobs.JobsClient.refused;
import static dev.hotstate.server.jobs.JobsClient.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What may be submitted and asked, and by whom. */
@ExtendWith(Testkit.class)
class JobSubmissionIT {
    private static final Map<String, String> TOKENS = new HashMap<>();
    private static PostgresDatabase postgres;
    private static RunningServer server;
    private static RunningServer guarded;
    private static JobsClient client;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        postgres = database;
        server = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_JOBS_HTTP", "true"));
        client = new JobsClient(server);
        for (var role : List.of("admin", "operator", "viewer", "agent")) {
            var made = server.post("/tokens", "{\"name\":\"%s\",\"role\":\"%s\"}".formatted(role, role));
            TOKENS.put(role, tree(made).get("token").asText());
        }
        guarded = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_AUTH_TOKENS", "required"));
    }

    @AfterAll
    static void stop() {
        guarded.close();
        server.close();
    }

    @Test
    void theSameJobAgainIsTheSameJob() {
        var job = "{'id':'twice','name':'Twice','idempotency_key':'k-1','tasks':[{'id':'a'}]}";
        assertThat(client.send("POST", "/jobs", job).headers().firstValue("Location"))
                .contains("/jobs/twice");
        var again = client.send("POST", "/jobs", job);
        assertThat(again.statusCode()).isEqualTo(200);
        assertThat(tree(again).get("id").asText()).isEqualTo("twice");
        var byKey = client.send("POST", "/jobs", job.replace("'id':'twice',", ""));
        assertThat(byKey.statusCode()).isEqualTo(200);
        assertThat(tree(byKey).get("id").asText()).isEqualTo("twice");
    }

    @Test
    void aJobMayBeYamlAndLargerThanOtherBodies() {
        var yaml = new StringBuilder("name: Large\ndelay: 1h\ntasks:\n");
        for (int i = 0; i < 13_000; i++) {
            yaml.append("  - {id: t")
                    .append(i)
                    .append(", name: '")
                    .append("x".repeat(60))
                    .append("'}\n");
        }
        var answer = server.call("POST", "/jobs", yaml.toString(), "Content-Type", "application/yaml");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(tree(answer).get("tasks").asInt()).isEqualTo(13_000);
        var id = tree(answer).get("id").asText();
        var page = server.json("/jobs/" + id + "/tasks?limit=1000");
        assertThat(page.get("items")).hasSize(1000);
        assertThat(texts(
                        server.json("/jobs/" + id + "/tasks?limit=1&cursor="
                                        + page.get("next_cursor").asText())
                                .get("items"),
                        "id"))
                .containsExactly("t1000");
        assertThat(server.json("/jobs/" + id + "/graph").get("nodes")).hasSize(13_000);
        assertThat(client.send("POST", "/jobs/" + id + "/cancel").statusCode()).isEqualTo(200);
    }

    /** Of which most is blank: it is its size that is tested. */
    @Test
    void aDocumentOfAJobOrOfAScheduleMayHaveUpTo64Megabytes() {
        var blank = " ".repeat(40 << 20);
        var tasks = "'name':'Blank','delay':'1h','tasks':[{'id':'a'}]";

        var job = client.send("POST", "/jobs", "{'id':'blank'," + blank + tasks + "}");
        assertThat(job.statusCode()).as(job.body()).isEqualTo(201);
        var schedule =
                client.send("PUT", "/schedules/blank", "{'interval':'1h','paused':true,'job':{" + blank + tasks + "}}");
        assertThat(schedule.statusCode()).as(schedule.body()).isEqualTo(201);
        assertThat(client.send("POST", "/jobs", blank + blank.substring(15 << 20))
                        .statusCode())
                .isEqualTo(413);
        client.send("DELETE", "/schedules/blank");
    }

    @Test
    void anIntervalMayHaveATimeZoneAndShowsIt() {
        var schedule = "{'interval':'1h','time_zone':'Europe/Berlin','job':{'name':'x','tasks':[{'id':'a'}]}}";

        var made = client.send("PUT", "/schedules/zoned", schedule);

        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        var shown = server.json("/schedules/zoned");
        assertThat(shown.get("interval").asText()).isEqualTo("1h");
        assertThat(shown.get("time_zone").asText()).isEqualTo("Europe/Berlin");
        assertThat(shown.get("next_at").asText()).endsWith(":00:00Z");
        assertThat(client.send("PUT", "/schedules/zoned", shown.toString()).statusCode())
                .isEqualTo(200);
        assertThat(refused(client.send("PUT", "/schedules/zoned", schedule.replace("Berlin", "Bern"))))
                .containsExactly("time_zone");
        client.send("DELETE", "/schedules/zoned");
    }

    @Test
    void aQueueMayHaveANameAsLongAsAJobs() {
        var queue = "q".repeat(36);
        client.submit("{'id':'long-queue','name':'L','queue':'" + queue + "','tasks':[{'id':'a'}]}");
        assertThat(client.send("PUT", "/queues/" + queue, "{'concurrency':1}").statusCode())
                .isEqualTo(200);
        client.complete(client.claim(queue), "");
        client.awaitStatus("long-queue", "SUCCEEDED");

        var longer = queue + "q";
        assertThat(refused(client.send("POST", "/jobs", "{'name':'L','queue':'" + longer + "','tasks':[{'id':'a'}]}")))
                .contains("queue");
        assertThat(refused(client.send("POST", "/tasks/claim", "{'queues':['" + longer + "']}")))
                .containsExactly("queues[0]");
        assertThat(refused(client.send("PUT", "/queues/" + longer, "{'concurrency':1}")))
                .containsExactly("queue");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pause", "resume", "cancel"})
    void whoHasNothingToSaySendsNothingOrAnEmptyObject(String verb) {
        client.submit("{'id':'say-" + verb + "','name':'x','delay':'1h','tasks':[{'id':'a'}]}");
        var call = "/jobs/say-" + verb + "/" + verb;

        assertThat(refused(client.send("POST", call, "{'reason':'none'}"))).containsExactly("reason");
        assertThat(client.send("POST", call, "[]").statusCode()).isEqualTo(400);
        assertThat(client.send("POST", call, "{").statusCode()).isEqualTo(400);
        assertThat(server.call("POST", call, "{}", "Content-Type", "text/plain").statusCode())
                .isEqualTo(415);
        assertThat(client.status("say-" + verb)).isEqualTo("PENDING");
        assertThat(server.call("POST", call, "", "Content-Type", "text/plain").statusCode())
                .isEqualTo(200);
        assertThat(client.send("POST", call, "{}").statusCode()).isEqualTo(200);
        assertThat(client.send("POST", call).statusCode()).isEqualTo(200);
        client.send("POST", "/jobs/say-" + verb + "/cancel");
    }

    @Test
    void everythingThatIsWrongIsToldByItsField() {
        assertThat(refused(client.send(
                        "POST",
                        "/jobs",
                        "{'name':'','colour':1,'priority':101,'tasks':[{'id':'a,b'},{'id':'ok','needs':['none','ok']},"
                                + "{'id':'ok'},{'id':'x','run':{'shell':'a','handler':'b'},'timeout':'soon'},{}]}")))
                .contains(
                        "name",
                        "colour",
                        "priority",
                        "tasks[0].id",
                        "tasks[1].needs[0]",
                        "tasks[1].needs[1]",
                        "tasks[2].id",
                        "tasks[3].run",
                        "tasks[3].timeout",
                        "tasks[4].id");
        assertThat(client.send("POST", "/jobs", "{'name':'x'").statusCode()).isEqualTo(400);
        assertThat(refused(client.send("POST", "/jobs", "{'name':'x'}"))).containsExactly("tasks");
        assertThat(server.call("POST", "/jobs", "name=x", "Content-Type", "text/plain")
                        .statusCode())
                .isEqualTo(415);
    }

    @Test
    void aCycleIsToldWithItsPath() {
        var answer = client.send(
                "POST",
                "/jobs",
                "{'name':'Round','tasks':[{'id':'a','needs':['c']},{'id':'b','needs':['a']},{'id':'c','needs':['b']}]}");
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(tree(answer).get("detail").asText())
                .containsPattern("(a -> b -> c|b -> c -> a|c -> a -> b|a -> c -> b)");
        var among = client.send(
                "POST",
                "/jobs",
                "{'name':'','colour':1,'tasks':[{'id':'x','needs':['none']},{'id':'a','needs':['b']},{'id':'b','needs':['a']}]}");
        assertThat(tree(among).get("detail").asText()).contains("a -> b");
        assertThat(refused(among)).contains("name", "colour", "tasks[0].needs[0]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"claim", "a b", "a:b", "{a}", "a,b", "ü", "..", "longer-than-thirty-six-characters-are"})
    void someWordsCannotBeTheIdOfAJob(String id) {
        assertThat(refused(client.send("POST", "/jobs", "{'id':'" + id + "','name':'x','tasks':[{'id':'a'}]}")))
                .containsExactly("id");
    }

    @Test
    void aCommandIsRefusedWhereCommandsAreNotEnabled() {
        var tasks = "'name':'x','tasks':[{'id':'a'},{'id':'b','run':{'shell':'true'}}]";
        assertThat(refused(client.send("POST", "/jobs", "{" + tasks + "}"))).containsExactly("tasks[1].run.shell");
        assertThat(refused(client.send("PUT", "/schedules/x", "{'interval':'1h','job':{" + tasks + "}}")))
                .containsExactly("job.tasks[1].run.shell");
        assertThat(server.get("/schedules/x").statusCode()).isEqualTo(404);
    }

    @Test
    void aScheduleIsShownWithoutItsSecretsAndCanBePutAgain() {
        var schedule = "{'interval':'1h','job':{'name':'x','delay':'1h','tasks':[{'id':'a','run':{'http':{"
                + "'url':'http://127.0.0.1:1/hook?token=hidden-1','headers':{'X-Api-Key':'hidden-2','Accept':'a/b'}}}}]}}";
        var made = client.send("PUT", "/schedules/hook", schedule);
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        var shown = server.get("/schedules/hook").body();
        assertThat(made.body() + shown + server.get("/schedules").body())
                .contains("a/b")
                .doesNotContain("hidden");
        var job = tree(server.get("/schedules/hook")).get("job").toString();
        var again = "{\"interval\":\"2h\",\"job\":" + job + "}";
        assertThat(client.send("PUT", "/schedules/hook", again).statusCode()).isEqualTo(200);
        assertThat(storedSchedule()).contains("hidden-1", "hidden-2").doesNotContain(RunShown.MASK);

        var elsewhere = again.replace("127.0.0.1:1/hook?token=" + RunShown.MASK, "127.0.0.1:2/hook");
        assertThat(refused(client.send("PUT", "/schedules/hook", elsewhere)))
                .containsExactly("job.tasks[0].run.http.headers.X-Api-Key");
        assertThat(refused(client.send("PUT", "/schedules/other", again)))
                .containsExactlyInAnyOrder("job.tasks[0].run.http.url", "job.tasks[0].run.http.headers.X-Api-Key");
        assertThat(refused(client.send("POST", "/jobs", job)))
                .containsExactlyInAnyOrder("tasks[0].run.http.url", "tasks[0].run.http.headers.X-Api-Key");
        assertThat(client.send("DELETE", "/schedules/hook").statusCode()).isEqualTo(204);
    }

    private static String storedSchedule() {
        try (var connection = DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
                var rows = connection.createStatement().executeQuery("SELECT s::text FROM jobs_schedules s")) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void aListOfMistakesHasAnEnd() {
        assertThat(refused(client.send("POST", "/tasks/complete", "{'items':[" + "{},".repeat(1_000) + "{}]}")))
                .containsExactly("items");
        assertThat(refused(client.send("POST", "/tasks/complete", "{'items':[" + "{},".repeat(999) + "{}]}")))
                .hasSize(100);
        assertThat(refused(client.send("POST", "/tasks/complete", "{'items':[" + "{'x':1},".repeat(999) + "{}]}")))
                .hasSize(100);
    }

    @Test
    void aTaskMayBeCalledByAWordOfTheApi() {
        client.submit(
                "{'id':'words','name':'x','delay':'1h','tasks':[{'id':'start'},{'id':'complete','needs':['start']}]}");
        assertThat(client.task("words", "complete")).isEqualTo("WAITING");
        assertThat(server.get("/jobs/words/tasks/start/why").statusCode()).isEqualTo(200);
    }

    @Test
    void jobsAreListedNewestFirstAndFoundByWhatTheyAre() {
        for (int i = 1; i <= 3; i++) {
            client.submit(
                    "{'id':'listed-" + i + "','name':'Listed','created_by':'grace','delay':'1h','tasks':[{'id':'a'}]}");
        }
        var first = server.json("/jobs?q=grace&limit=2");
        assertThat(texts(first.get("items"), "id")).containsExactly("listed-3", "listed-2");
        var rest = server.json(
                "/jobs?q=grace&limit=2&cursor=" + first.get("next_cursor").asText());
        assertThat(texts(rest.get("items"), "id")).containsExactly("listed-1");
        assertThat(rest.get("next_cursor").isNull()).isTrue();
        assertThat(server.json("/jobs?q=grace&status=FAILED").get("items")).isEmpty();
        assertThat(texts(server.json("/jobs?q=listed-2").get("items"), "id")).containsExactly("listed-2");
        assertThat(refused(server.get("/jobs?status=lost"))).containsExactly("status");
        assertThat(refused(server.get("/jobs?cursor=x"))).containsExactly("cursor");
        assertThat(server.get("/jobs/none").statusCode()).isEqualTo(404);
        assertThat(server.get("/jobs/none/tasks").statusCode()).isEqualTo(404);
        assertThat(refused(
                        client.send("POST", "/tasks/claim", "{'max':0,'wait':'31s','queues':['a b'],'worker':'a b'}")))
                .containsExactlyInAnyOrder("max", "wait", "queues[0]", "worker");
    }

    @ParameterizedTest
    @CsvSource({
        "admin, true, true, true",
        "operator, true, true, true",
        "viewer, true, false, false",
        "agent, false, false, true"
    })
    void aRoleMayDoWhatItSays(String role, boolean reads, boolean writes, boolean works) {
        for (var call : List.of(
                "/jobs",
                "/jobs/x",
                "/jobs/x/tasks",
                "/jobs/x/graph",
                "/jobs/x/tasks/a/logs",
                "/jobs/x/tasks/a/why",
                "/queues",
                "/workers",
                "/schedules",
                "/schedules/x")) {
            assertThat(status("GET", call, role) != 403).as(call).isEqualTo(reads);
        }
        assertThat(status("GET", "/jobs/x/tasks/a", role)).isEqualTo(404);
        for (var call : List.of(
                "POST /jobs",
                "POST /jobs/x/cancel",
                "POST /jobs/x/pause",
                "POST /jobs/x/resume",
                "POST /jobs/x/rerun",
                "PUT /queues/x",
                "PUT /schedules/x",
                "DELETE /schedules/x")) {
            assertThat(status(call.split(" ")[0], call.split(" ")[1], role) != 403)
                    .as(call)
                    .isEqualTo(writes);
        }
        for (var call : List.of(
                "/tasks/claim",
                "/tasks/complete",
                "/jobs/x/tasks/a/complete",
                "/jobs/x/tasks/a/fail",
                "/jobs/x/tasks/a/heartbeat",
                "/jobs/x/tasks/a/log")) {
            assertThat(status("POST", call, role) != 403).as(call).isEqualTo(works);
        }
    }

    private static int status(String method, String path, String role) {
        return guarded.call(
                        method,
                        path,
                        "",
                        "Authorization",
                        "Bearer " + TOKENS.get(role),
                        "Content-Type",
                        "application/json")
                .statusCode();
    }
}
