package dev.hotstate.server.jobs;

import static dev.hotstate.server.RunningServer.tree;
import static dev.hotstate.server.jobs.JobsClient.path;
import static dev.hotstate.server.jobs.JobsClient.refused;
import static dev.hotstate.server.jobs.JobsClient.texts;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The protocol of workers and what is seen of their work, over HTTP on a real server. */
@ExtendWith(Testkit.class)
class JobFlowIT {
    private static RunningServer server;
    private static JobsClient client;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        server = RunningServer.on(
                redis.uri(), database, Map.of("HOTSTATE_JOBS_SHELL", "true", "HOTSTATE_JOBS_HTTP", "true"));
        client = new JobsClient(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void tasksAreHandedOutInTheirOrderWithTheResultsOfWhatTheyNeed() {
        try (var events = server.listen("jobs")) {
            var job = client.submit("{'id':'chain','name':'Chain','created_by':'ada','queue':'chain','tasks':["
                    + "{'id':'a','input':{'n':[1,2.50]}},{'id':'b','needs':['a']}]}");
            assertThat(job.get("status").asText()).isEqualTo("PENDING");
            assertThat(job.get("tasks").asInt()).isEqualTo(2);

            var first = client.claim("chain");
            assertThat(first.get("task_id").asText()).isEqualTo("a");
            assertThat(first.get("attempt").asInt()).isEqualTo(1);
            assertThat(first.at("/input/n/1").asText()).isEqualTo("2.5");
            assertThat(first.get("results")).isEmpty();
            assertThat(client.status("chain")).isEqualTo("RUNNING");
            var workers = server.json("/workers").get("items");
            assertThat(texts(workers, "name")).contains("w-1");
            assertThat(server.get("/workers").body())
                    .doesNotContain(first.get("fence").asText());
            client.complete(first, "{'sum':3}");

            var second = client.claim("chain");
            assertThat(second.at("/results/a/sum").asInt()).isEqualTo(3);
            client.complete(second, "");

            var ended = client.awaitStatus("chain", "SUCCEEDED");
            assertThat(ended.get("progress").asDouble()).isEqualTo(1);
            assertThat(ended.at("/counts/succeeded").asInt()).isEqualTo(2);
            assertThat(ended.get("finished_at").isTextual()).isTrue();
            assertThat(server.json("/jobs/chain/tasks/a").at("/result/sum").asInt())
                    .isEqualTo(3);
            events.awaitInOrder("jobs.changed");
        }
    }

    @Test
    void whoIsLateIsRefusedAndChangesNothing() {
        client.submit(
                "{'id':'late','name':'Late','queue':'late','tasks':[{'id':'a','max_retries':1,'backoff':'1ms'}]}");
        var first = client.claim("late");
        assertThat(client.end(first, "/fail", ",'error':'no luck'").statusCode())
                .isEqualTo(200);
        var second = client.claim("late");
        assertThat(second.get("attempt").asInt()).isEqualTo(2);
        assertThat(second.get("fence").asText()).isNotEqualTo(first.get("fence").asText());

        assertThat(client.end(first, "/complete", "").statusCode()).isEqualTo(409);
        assertThat(client.end(first, "/fail", ""))
                .returns(409, HttpResponse::statusCode)
                .extracting(HttpResponse::body)
                .asString()
                .contains("This has counted already");
        assertThat(client.end(first, "/heartbeat", "").statusCode()).isEqualTo(409);
        assertThat(client.end(first, "/log", ",'lines':['x']").statusCode()).isEqualTo(409);
        assertThat(client.send("POST", path(second) + "/complete", "{'fence':'no such'}")
                        .statusCode())
                .isEqualTo(409);
        assertThat(client.send("POST", "/jobs/late/tasks/none/complete", "{'fence':'1-1'}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(client.task("late", "a")).isEqualTo("RUNNING");

        assertThat(tree(client.end(second, "/heartbeat", ",'lease':'2m'"))
                        .get("cancelled")
                        .asBoolean())
                .isFalse();
        client.complete(second, "");
        client.awaitStatus("late", "SUCCEEDED");
        assertThat(client.end(second, "/complete", "").statusCode()).isEqualTo(409);
        assertThat(client.end(second, "/fail", "").statusCode()).isEqualTo(409);
    }

    @Test
    void aLogOfNoLinesTellsWhetherTheFenceIsStillTheTasks() {
        client.submit(
                "{'id':'mute','name':'Mute','queue':'mute','tasks':[{'id':'a','max_retries':1,'backoff':'1ms'}]}");
        var first = client.claim("mute");
        assertThat(client.end(first, "/log", ",'lines':[]").statusCode()).isEqualTo(200);
        client.end(first, "/log", ",'lines':['one']");
        assertThat(client.end(first, "/log", ",'lines':[]").body()).isEqualTo("{\"lines\":0}");
        client.end(first, "/fail", "");
        var second = client.claim("mute");

        assertThat(client.end(first, "/log", ",'lines':[]").statusCode()).isEqualTo(409);
        assertThat(client.send("POST", "/jobs/mute/tasks/none/log", "{'fence':'1-1','lines':[]}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(client.send("POST", "/jobs/none/tasks/a/log", "{'fence':'1-1','lines':[]}")
                        .statusCode())
                .isEqualTo(404);
        assertThat(refused(client.end(second, "/log", ",'lines':[null,'x',null]")))
                .containsExactly("lines[0]", "lines[2]");
        assertThat(server.json("/jobs/mute/tasks/a/logs").get("lines")).hasSize(1);
        client.complete(second, "");
    }

    @Test
    void cancellingTwiceIsAsGoodAsOnce() {
        client.submit("{'id':'twice-cancelled','name':'C','queue':'twice','tasks':[{'id':'a'}]}");
        for (int i = 0; i < 2; i++) {
            assertThat(client.send("POST", "/jobs/twice-cancelled/cancel").statusCode())
                    .isEqualTo(200);
        }
        Eventually.until(
                "its end is in PostgreSQL",
                () -> !server.json("/jobs/twice-cancelled").get("live").asBoolean());

        var again = client.send("POST", "/jobs/twice-cancelled/cancel");

        assertThat(again.statusCode()).as(again.body()).isEqualTo(200);
        assertThat(tree(again).get("status").asText()).isEqualTo("CANCELLED");
        assertThat(client.send("POST", "/jobs/twice-cancelled/pause").statusCode())
                .isEqualTo(409);
        client.submit("{'id':'ended-well','name':'E','queue':'ended-well','tasks':[{'id':'a'}]}");
        client.complete(client.claim("ended-well"), "");
        assertThat(client.send("POST", "/jobs/ended-well/cancel").statusCode()).isEqualTo(409);
    }

    @Test
    void aHeartbeatThatAsksForNoLeaseTakesNothingFromALongerOne() {
        client.submit("{'id':'patient','name':'P','queue':'patient','tasks':[{'id':'a','timeout':'2h'}]}");
        var claimed = tree(client.send("POST", "/tasks/claim", "{'queues':['patient'],'lease':'1h','wait':'20s'}"))
                .at("/items/0");
        var until = claimed.get("lease_until").asText();

        assertThat(tree(client.end(claimed, "/heartbeat", ""))
                        .get("lease_until")
                        .asText())
                .isEqualTo(until);
        var shorter = Instant.parse(tree(client.end(claimed, "/heartbeat", ",'lease':'1m'"))
                .get("lease_until")
                .asText());
        assertThat(shorter).isBefore(Instant.parse(until));
        assertThat(Instant.parse(tree(client.end(claimed, "/heartbeat", ",'lease':'1h'"))
                        .get("lease_until")
                        .asText()))
                .isAfterOrEqualTo(Instant.parse(until));
        client.complete(claimed, "");
    }

    @Test
    void aLeaseMayBeShortAndWhoAsksForManyTasksGetsNoMoreThanAHundred() {
        client.submit("{'id':'crowd','name':'C','queue':'crowd','tasks':["
                + IntStream.range(0, 120)
                        .mapToObj(i -> "{'id':'t" + i + "','max_retries':9,'backoff':'1ms'}")
                        .collect(Collectors.joining(","))
                + "]}");
        Eventually.until("all are ready", () -> depth("crowd") == 120);

        var claimed = client.send("POST", "/tasks/claim", "{'queues':['crowd'],'max':1000,'lease':'1m'}");

        assertThat(claimed.statusCode()).as(claimed.body()).isEqualTo(200);
        assertThat(tree(claimed).get("items")).hasSize(100);
        var item = tree(claimed).at("/items/0");
        assertThat(client.end(item, "/heartbeat", ",'lease':'100ms'").statusCode())
                .isEqualTo(200);
        var brief = tree(client.send("POST", "/tasks/claim", "{'queues':['crowd'],'lease':'500ms'}"));
        assertThat(brief.get("items")).hasSize(1);
        assertThat(refused(client.send("POST", "/tasks/claim", "{'max':1001,'lease':'99ms'}")))
                .containsExactly("max", "lease");
        assertThat(refused(client.end(item, "/heartbeat", ",'lease':'99ms'"))).containsExactly("lease");
        client.send("POST", "/jobs/crowd/cancel");
    }

    @Test
    void theLastPartOfALogThatHasEndedNamesNoNext() {
        client.submit("{'id':'told','name':'T','queue':'told','tasks':[{'id':'a'}]}");
        var claimed = client.claim("told");
        client.end(claimed, "/log", ",'lines':['1','2','3']");
        assertThat(server.json("/jobs/told/tasks/a/logs").get("next_cursor").asText())
                .isEqualTo("3");
        client.complete(claimed, "");

        assertThat(server.json("/jobs/told/tasks/a/logs").get("next_cursor").isNull())
                .isTrue();
        var full = server.json("/jobs/told/tasks/a/logs?limit=3");
        assertThat(full.get("next_cursor").asText()).isEqualTo("3");
        assertThat(server.json("/jobs/told/tasks/a/logs?cursor=3")
                        .get("next_cursor")
                        .isNull())
                .isTrue();
    }

    @Test
    void manyAreCompletedAtOnceAndOneThatIsStaleStopsNoOther() {
        client.submit("{'id':'many','name':'Many','queue':'many','tasks':["
                + "{'id':'a'},{'id':'b'},{'id':'c','needs':['a','b']}]}");
        var a = client.claim("many");
        var b = client.claim("many");
        var item = "{'job_id':'%s','task_id':'%s','fence':'%s','result':1}";
        var answer = tree(client.send(
                "POST",
                "/tasks/complete",
                "{'items':["
                        + item.formatted(
                                "many",
                                a.get("task_id").asText(),
                                a.get("fence").asText())
                        + "," + item.formatted("many", a.get("task_id").asText(), "1-1")
                        + "," + item.formatted("none", "a", "1-1")
                        + "," + item.formatted("not possible", "a", "1-1")
                        + ","
                        + item.formatted(
                                "many",
                                b.get("task_id").asText(),
                                b.get("fence").asText())
                        + "],'claim':{'queues':['many'],'wait':'10s'}}"));
        assertThat(texts(answer.get("items"), "status"))
                .containsExactly("completed", "stale", "unknown", "unknown", "completed");
        assertThat(texts(answer.get("claimed"), "task_id")).containsExactly("c");
        client.complete(answer.get("claimed").get(0), "");
        client.awaitStatus("many", "SUCCEEDED");
    }

    @Test
    void whoCompletesAndDoesNotWaitGetsWhateverIsReadyWhereverItIs() {
        for (int i = 0; i < 8; i++) {
            client.submit("{'id':'spread-%d','name':'Spread','tasks':[{'id':'a','queue':'spread'}]}".formatted(i));
        }
        var held = client.claim("spread");
        for (int left = 7; left > 0; left--) {
            var answer = tree(client.send(
                    "POST",
                    "/tasks/complete",
                    "{'items':[{'job_id':'%s','task_id':'a','fence':'%s'}],'claim':{'queues':['spread']}}"
                            .formatted(
                                    held.get("job_id").asText(),
                                    held.get("fence").asText())));

            assertThat(answer.get("claimed")).as("with %d left", left).hasSize(1);
            held = answer.get("claimed").get(0);
        }
        client.complete(held, "");
    }

    @Test
    void tasksForAClientThatIsGoneAreForOthersAtOnce() throws Exception {
        try (var gone = new Socket("127.0.0.1", server.port())) {
            var body = "{\"worker\":\"gone\",\"queues\":[\"gone\"],\"lease\":\"1h\",\"wait\":\"30s\"}";
            gone.getOutputStream()
                    .write(("POST /tasks/claim HTTP/1.1\r\nHost: 127.0.0.1:" + server.port()
                                    + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length()
                                    + "\r\n\r\n" + body)
                            .getBytes(StandardCharsets.US_ASCII));
            Eventually.until(
                    "it waits",
                    () -> texts(server.json("/workers").get("items"), "name").contains("gone"));
            gone.setSoLinger(true, 0);
        }
        client.submit("{'id':'gone','name':'Gone','queue':'gone','tasks':[{'id':'a'}]}");
        var claimed = client.claim("gone");
        assertThat(claimed.get("attempt").asInt()).isEqualTo(1);
        client.complete(claimed, "");
    }

    @Test
    void aResultIsKeptToTheLastDigit() {
        client.submit("{'id':'exact','name':'Exact','queue':'exact','tasks':[{'id':'a'},{'id':'b','needs':['a']}]}");
        var numbers = "[1.10,12345678901234567890.123456789,1E+400,0.1]";
        client.complete(client.claim("exact"), numbers);
        var next = client.send("POST", "/tasks/claim", "{'worker':'w-1','queues':['exact'],'wait':'20s'}");
        assertThat(next.body()).contains(numbers);
        assertThat(server.get("/jobs/exact/tasks/a").body()).contains(numbers);
    }

    @Test
    void aLogIsFollowedWhileItIsWritten() throws Exception {
        client.submit("{'id':'logged','name':'Logged','queue':'logs','tasks':[{'id':'a'}]}");
        var claimed = client.claim("logs");
        assertThat(client.end(claimed, "/log", ",'lines':['one','two\\nthree']").statusCode())
                .isEqualTo(200);
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create(server.url() + "/jobs/logged/tasks/a/logs?follow=true"));
            var lines = http.send(request.header("Last-Event-ID", "0").build(), BodyHandlers.ofLines());
            client.end(claimed, "/log", ",'lines':['four']");
            client.complete(claimed, "");
            var heard = lines.body().toList();
            assertThat(heard).anyMatch(line -> line.contains("\"line\":\"four\""));
            assertThat(heard.stream().filter(line -> line.startsWith("id: ")))
                    .containsExactly("id: 1", "id: 2", "id: 3");
            assertThat(heard).contains("event: end").noneMatch(line -> line.contains("\"line\":\"one\""));
        }
        var read = server.json("/jobs/logged/tasks/a/logs");
        assertThat(texts(read.get("items"), "line")).containsExactly("one", "two", "three", "four");
        assertThat(read.get("lines").get(3).asText()).isEqualTo("four");
        assertThat(read.get("ended").asBoolean()).isTrue();
        assertThat(texts(
                        server.json("/jobs/logged/tasks/a/logs?cursor=2&limit=1")
                                .get("items"),
                        "line"))
                .containsExactly("three");
        assertThat(server.get("/jobs/logged/tasks/none/logs").statusCode()).isEqualTo(404);
        assertThat(refused(server.get("/jobs/logged/tasks/a/logs?cursor=x"))).containsExactly("cursor");
    }

    @Test
    void aJobIsPausedResumedCancelledAndRunAgain() {
        client.submit("{'id':'held','name':'Held','queue':'held','tasks':[{'id':'a'},{'id':'b','needs':['a']}]}");
        assertThat(tree(client.send("POST", "/jobs/held/pause")).get("status").asText())
                .isEqualTo("PAUSED");
        assertThat(tree(client.send("POST", "/tasks/claim", "{'queues':['held']}"))
                        .get("items"))
                .isEmpty();
        assertThat(server.json("/jobs/held/tasks/a/why").get("reason").asText()).contains("paused");
        assertThat(client.send("POST", "/jobs/held/rerun", "{'from':'failed'}").statusCode())
                .isEqualTo(409);
        client.send("POST", "/jobs/held/resume");
        var a = client.claim("held");
        var why = server.json("/jobs/held/tasks/b/why");
        assertThat(why.get("status").asText()).isEqualTo("WAITING");
        assertThat(texts(why.get("blocked_by"), "task")).containsExactly("a");
        client.complete(a, "{'kept':true}");

        var b = client.claim("held");
        assertThat(tree(client.send("POST", "/jobs/held/cancel")).get("status").asText())
                .isEqualTo("CANCELLED");
        for (var verb : List.of("/complete", "/heartbeat")) {
            var late = client.end(b, verb, "");
            assertThat(late.statusCode()).isEqualTo(409);
            assertThat(tree(late).get("detail").asText()).contains("The job was cancelled");
        }
        assertThat(client.task("held", "b")).isEqualTo("CANCELLED");

        Eventually.until(
                "the end is known everywhere",
                () -> client.send("POST", "/jobs/held/rerun", "{'from':'failed'}")
                                .statusCode()
                        == 200);
        var again = client.claim("held");
        assertThat(again.get("task_id").asText()).isEqualTo("b");
        assertThat(again.at("/results/a/kept").asBoolean()).isTrue();
        client.complete(again, "");
        assertThat(client.awaitStatus("held", "SUCCEEDED").get("epoch").asInt()).isEqualTo(2);
        assertThat(refused(client.send("POST", "/jobs/held/rerun", "{'from':'start'}")))
                .containsExactly("from");
        assertThat(client.send("POST", "/jobs/held/rerun", "{}").statusCode()).isEqualTo(400);
        assertThat(client.send("POST", "/jobs/none/pause").statusCode()).isEqualTo(404);
    }

    @Test
    void theServerItselfRunsCommandsAndRequests() {
        client.submit("{'id':'own','name':'Own','tasks':[{'id':'sh','run':{'shell':'cat; echo done'},'input':{'n':1}},"
                + "{'id':'get','needs':['sh'],'run':{'http':{'url':'" + server.url()
                + "/health/live','headers':{'Authorization':'Bearer secret'}}}},"
                + "{'id':'bad','needs':['sh'],'run':{'shell':'exit 3'}},"
                + "{'id':'alarm','needs':['bad'],'trigger':'one_failed',"
                + "'queue':'any-other','run':{'shell':'true'}}]}");
        var ended = client.awaitStatus("own", "FAILED");
        assertThat(ended.at("/counts/succeeded").asInt()).isEqualTo(3);
        assertThat(server.json("/jobs/own/tasks/sh").at("/result/output").asText())
                .contains("\"n\":1", "done");
        assertThat(server.json("/jobs/own/tasks/bad").get("error").asText()).contains("exit code 3");
        assertThat(server.get("/jobs/own/tasks/get").body())
                .contains("/health/live")
                .doesNotContain("secret");
        var lines = server.json("/jobs/own/tasks/sh/logs").get("lines");
        assertThat(lines.toString()).contains("done");
    }

    @Test
    void aJobIsDrawn() {
        client.submit("{'id':'drawn','name':'Drawn','queue':'drawn','tasks':["
                + "{'id':'a'},{'id':'b','needs':['a']},{'id':'c','needs':['a']},{'id':'d','needs':['b','c']}]}");
        client.complete(client.claim("drawn"), "");
        var graph = server.json("/jobs/drawn/graph");
        assertThat(texts(graph.get("nodes"), "id")).containsExactly("a", "b", "c", "d");
        assertThat(texts(graph.get("nodes"), "status")).containsExactly("SUCCEEDED", "READY", "READY", "WAITING");
        assertThat(texts(graph.get("nodes"), "layer")).containsExactly("0", "1", "1", "2");
        assertThat(graph.get("edges")).hasSize(4);
        assertThat(graph.get("critical_path")).hasSize(3);
        assertThat(server.get("/jobs/none/graph").statusCode()).isEqualTo(404);
        client.send("POST", "/jobs/drawn/cancel");
    }

    @Test
    void whatWasReadyOfACancelledJobWaitsNoLonger() {
        client.submit("{'id':'dropped','name':'D','queue':'dropped','tasks':[{'id':'a'},{'id':'b'}]}");
        Eventually.until("both are ready", () -> depth("dropped") == 2);

        assertThat(client.send("POST", "/jobs/dropped/cancel").statusCode()).isEqualTo(200);

        Eventually.until("none is", () -> depth("dropped") == 0);
    }

    @Test
    void aLineOfAMegabyteIsCut() {
        client.submit("{'id':'long-line','name':'L','queue':'long-line','tasks':[{'id':'a'}]}");
        var claimed = client.claim("long-line");

        var answer = client.end(claimed, "/log", ",'lines':['" + "x".repeat(1_000_000) + "']");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        var lines = server.json("/jobs/long-line/tasks/a/logs").get("lines");
        assertThat(lines).hasSize(1);
        assertThat(lines.get(0).asText()).matches("x{4096}");
        assertThat(client.end(claimed, "/log", ",'lines':['" + "x".repeat(20_000_000) + "']")
                        .statusCode())
                .isEqualTo(413);
        client.complete(claimed, "");
    }

    private int depth(String name) {
        for (var queue : server.json("/queues").get("items")) {
            if (queue.get("name").asText().equals(name)) {
                return queue.get("depth").asInt();
            }
        }
        return -1;
    }

    @Test
    void queuesAreSeenAndLimited() {
        client.submit("{'id':'q','name':'Q','queue':'narrow','tasks':[{'id':'a'},{'id':'b'},{'id':'c'}]}");
        assertThat(tree(client.send("PUT", "/queues/narrow", "{'concurrency':1}"))
                        .get("concurrency")
                        .asInt())
                .isEqualTo(1);
        client.send("PUT", "/queues/narrow", "{'concurrency':0}");
        assertThat(tree(client.send("POST", "/tasks/claim", "{'queues':['narrow']}"))
                        .get("items"))
                .isEmpty();
        client.send("PUT", "/queues/narrow", "{'concurrency':1}");
        var claimed = client.claim("narrow");
        Eventually.until("one runs and two wait", () -> {
            for (var queue : server.json("/queues").get("items")) {
                if (queue.get("name").asText().equals("narrow")) {
                    return queue.get("depth").asInt() == 2
                            && queue.get("running").asInt() == 1;
                }
            }
            return false;
        });
        Eventually.until(
                "nobody else gets a task",
                () -> tree(client.send("POST", "/tasks/claim", "{'queues':['narrow']}"))
                        .get("items")
                        .isEmpty());
        client.complete(claimed, "");
        client.send("PUT", "/queues/narrow", "{'concurrency':null}");
        client.claim("narrow");
        client.send("POST", "/jobs/q/cancel");
        assertThat(refused(client.send("PUT", "/queues/narrow", "{'concurrency':-1}")))
                .containsExactly("concurrency");
    }

    @Test
    void aLogIsReadFiftyLinesAtATimeUnlessMoreAreAskedFor() {
        client.submit("{'id':'long','name':'Long','queue':'long','tasks':[{'id':'a'}]}");
        var claimed = client.claim("long");
        client.end(claimed, "/log", ",'lines':[" + "'x',".repeat(59) + "'x']");
        var first = server.json("/jobs/long/tasks/a/logs");
        assertThat(first.get("items")).hasSize(50);
        assertThat(first.get("next_cursor").asText()).isEqualTo("50");
        assertThat(server.json("/jobs/long/tasks/a/logs?limit=1000").get("items"))
                .hasSize(60);
        client.complete(claimed, "");
    }

    @Test
    void aScheduleMakesJobs() {
        var schedule = "{'interval':'1s','job':{'name':'Tick','tasks':[{'id':'t','run':{'shell':'true'}}]}}";
        assertThat(client.send("PUT", "/schedules/tick", schedule).statusCode()).isEqualTo(201);
        assertThat(client.send("PUT", "/schedules/tick", schedule).statusCode()).isEqualTo(200);
        Eventually.until(
                "a job was made",
                () -> server.json("/schedules/tick").get("last_job").isTextual());
        String job = server.json("/schedules/tick").get("last_job").asText();
        client.awaitStatus(job, "SUCCEEDED");
        assertThat(texts(server.json("/schedules").get("items"), "id")).containsExactly("tick");
        assertThat(client.send("DELETE", "/schedules/tick").statusCode()).isEqualTo(204);
        assertThat(client.send("DELETE", "/schedules/tick").statusCode()).isEqualTo(404);
        assertThat(refused(client.send(
                        "PUT",
                        "/schedules/bad",
                        "{'cron':'no','when':1,'job':{'name':'x','tasks':[{'id':'a','needs':['z']}]}}")))
                .contains("when", "cron", "job.tasks[0].needs[0]");
        assertThat(List.of(client.send("GET", "/schedules/none").statusCode())).containsExactly(404);
    }
}
