package dev.hotstate.server.jobs;

import static dev.hotstate.server.RunningServer.tree;
import static dev.hotstate.server.jobs.JobsClient.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.server.http.RawClient;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker may stop while it waits for a task. It must not take one with it. */
@ExtendWith(Testkit.class)
class WorkersThatLeaveIT {
    private static final String NONE = "{\"items\":[]}";

    private static RunningServer server;
    private static JobsClient client;

    @BeforeAll
    static void start(RedisServer redis, PostgresDatabase database) {
        server = RunningServer.on(redis.uri(), database);
        client = new JobsClient(server);
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void aTaskIsNotGivenToAWorkerThatHasClosedItsConnection() {
        double before = endedSoon("/tasks/claim");
        try (var worker = RawClient.to(server.port())) {
            waitsForTasks(worker, "closed");
        }
        Eventually.until("its call has ended", () -> endedSoon("/tasks/claim") > before);

        isStillForOthers("closed");
    }

    @Test
    void aTaskIsNotGivenToAWorkerWhoseConnectionWasReset() {
        double before = endedSoon("/tasks/claim");
        var worker = RawClient.to(server.port());
        waitsForTasks(worker, "reset");
        worker.reset();
        Eventually.until("its call has ended", () -> endedSoon("/tasks/claim") > before);

        isStillForOthers("reset");
    }

    @Test
    void whoSaysThatNothingMoreWillComeWaitsForNoTask() {
        try (var worker = RawClient.to(server.port())) {
            waitsForTasks(worker, "ended");
            worker.endOutput();
            assertThat(worker.answer()).isEqualTo(NONE);
        }
        isStillForOthers("ended");
    }

    @Test
    void whoSaysThatNothingMoreWillComeIsGivenATaskThatIsThere() {
        client.submit("{'id':'there','name':'There','queue':'there','tasks':[{'id':'a'}]}");
        Eventually.until("it is ready", () -> client.task("there", "a").equals("READY"));
        try (var worker = RawClient.to(server.port())) {
            worker.post("/tasks/claim", claim("there"));
            worker.endOutput();
            assertThat(worker.answer()).contains("\"job_id\":\"there\"");
        }
    }

    @Test
    void aTaskThatComesInTheMomentOfLeavingIsAnsweredOrIsForOthers() {
        for (int round = 1; round <= 20; round++) {
            String job = "moment-" + round;
            try (var worker = RawClient.to(server.port())) {
                waitsForTasks(worker, "moment");
                var submitted = CompletableFuture.runAsync(() ->
                        client.submit("{'id':'" + job + "','name':'Moment','queue':'moment','tasks':[{'id':'a'}]}"));
                worker.endOutput();
                var answer = worker.answer();
                submitted.join();
                if (answer.equals(NONE)) {
                    assertThat(client.claim("moment").get("attempt").asInt()).isEqualTo(1);
                } else {
                    assertThat(answer).contains("\"job_id\":\"" + job + "\"");
                }
            }
        }
    }

    @Test
    void aWorkerThatLeavesAfterItEndedATaskTakesNoOther() {
        client.submit("{'id':'first','name':'First','queue':'batch','tasks':[{'id':'a'}]}");
        var claimed = client.claim("batch");
        double before = endedSoon("/tasks/complete");
        try (var worker = RawClient.to(server.port())) {
            worker.post("/tasks/complete", "{\"items\":[" + item(claimed) + "],\"claim\":" + claim("batch") + "}");
            Eventually.until(
                    "it has ended its task", () -> client.status("first").equals("SUCCEEDED"));
        }
        Eventually.until("its call has ended", () -> endedSoon("/tasks/complete") > before);

        isStillForOthers("batch");
    }

    @Test
    void aWorkerThatStaysIsGivenTasksOnOneConnectionAndWhatItSentMeanwhileIsAnsweredInItsTurn() {
        try (var worker = RawClient.to(server.port())) {
            for (String job : new String[] {"one", "two"}) {
                worker.post("/tasks/claim", claim("kept"));
                worker.get("/jobs/" + job);
                client.submit("{'id':'" + job + "','name':'Kept','queue':'kept','tasks':[{'id':'a'}]}");
                assertThat(worker.answer()).contains("\"items\":[{\"job_id\":\"" + job + "\"");
                assertThat(worker.answer()).contains("\"id\":\"" + job + "\"", "\"status\":\"RUNNING\"");
            }
        }
    }

    @Test
    void aServerThatStopsSendsAwayThoseWhoWait(RedisServer redis, PostgresDatabase database) {
        var patient = Map.of("HOTSTATE_SHUTDOWN_TIMEOUT", "60s");
        var other = RunningServer.on(redis.uri(), database, patient);
        try (var worker = RawClient.to(other.port())) {
            waitsForTasks(other, worker, "stopped");
            other.close();
            assertThat(worker.answer()).isEqualTo(NONE);
        }
    }

    private static void waitsForTasks(RawClient worker, String queue) {
        waitsForTasks(server, worker, queue);
    }

    private static void waitsForTasks(RunningServer server, RawClient worker, String queue) {
        Eventually.until("all is up", () -> server.health().equals("up"));
        worker.post("/tasks/claim", claim(queue));
        Eventually.until(
                "it waits",
                () -> texts(server.json("/workers").get("items"), "name").contains("w-gone-" + queue));
    }

    private static String claim(String queue) {
        return "{\"worker\":\"w-gone-%s\",\"queues\":[\"%s\"],\"lease\":\"1h\",\"wait\":\"30s\"}"
                .formatted(queue, queue);
    }

    private static String item(JsonNode claimed) {
        return "{\"job_id\":\"%s\",\"task_id\":\"%s\",\"fence\":\"%s\"}"
                .formatted(
                        claimed.get("job_id").asText(),
                        claimed.get("task_id").asText(),
                        claimed.get("fence").asText());
    }

    /** A task without a retry, which would have failed if it had been given to somebody who was gone. */
    private void isStillForOthers(String queue) {
        client.submit("{'id':'for-" + queue + "','name':'Others','queue':'" + queue + "','tasks':[{'id':'a'}]}");
        Eventually.until("it is ready", () -> client.task("for-" + queue, "a").equals("READY"));
        var items = tree(client.send("POST", "/tasks/claim", "{'worker':'other','queues':['" + queue + "']}"))
                .get("items");
        assertThat(items).hasSize(1);
        assertThat(items.get(0).get("attempt").asInt()).isEqualTo(1);
        client.complete(items.get(0), "");
    }

    /** Calls that took less than five seconds: none of those that are called back would have. */
    private static double endedSoon(String route) {
        return server.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("http_server_requests_seconds_bucket"))
                .filter(line -> line.contains("route=\"" + route + "\"") && line.contains("le=\"5.0\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
