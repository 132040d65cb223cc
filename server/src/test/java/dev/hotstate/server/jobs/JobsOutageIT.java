package dev.hotstate.server.jobs;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A job is a promise: Redis may be away when it is given, and lose everything while it is kept. */
@ExtendWith(Testkit.class)
class JobsOutageIT {

    @Test
    void aJobIsAcceptedWithoutRedisAndEndsThoughRedisLosesIt(PostgresDatabase database) {
        try (var redis = RedisServer.start();
                var server = RunningServer.on(redis.uri(), database)) {
            var client = new JobsClient(server);
            redis.pause();
            client.submit("{'id':'kept','name':'Kept','queue':'kept','tasks':["
                    + "{'id':'a'},{'id':'b','needs':['a']},{'id':'c','needs':['b']}]}");
            assertThat(client.status("kept")).isEqualTo("PENDING");
            redis.resume();

            client.complete(next(client, "a"), "{'n':1}");
            Eventually.until("PostgreSQL knows of it", () -> hasSucceeded(database, "a"));
            var lost = next(client, "b");
            redis.flushAll();

            var again = next(client, "b");
            assertThat(again.at("/results/a/n").asInt()).isEqualTo(1);
            assertThat(client.end(lost, "/complete", "").statusCode()).isEqualTo(409);
            client.complete(again, "");
            client.complete(next(client, "c"), "");
            assertThat(client.awaitStatus("kept", "SUCCEEDED")
                            .at("/counts/succeeded")
                            .asInt())
                    .isEqualTo(3);
        }
    }

    @Test
    void aStaleFenceIsToldApartFromAnOutageWhilePostgresqlIsAway(RedisServer redis) {
        try (var postgres = PostgresServer.start();
                var server = RunningServer.on(redis.uri(), postgres.freshDatabase())) {
            var client = new JobsClient(server);
            client.submit("{'id':'stale','name':'Stale','queue':'kept','tasks':[{'id':'a'}]}");
            var held = next(client, "a");
            client.complete(held, "");

            postgres.pause();
            var late = client.end(held, "/fail", ",'error':'too late'");
            var silent = client.end(held, "/heartbeat", "");
            postgres.resume();

            assertThat(late.statusCode()).as(late.body()).isEqualTo(409);
            assertThat(silent.statusCode()).as(silent.body()).isEqualTo(409);
        }
    }

    @Test
    void whereSomeTasksCannotBeReachedAllMayBeSentAgain() {
        try (var redis = RedisServer.start();
                var postgres = PostgresServer.start();
                var server = RunningServer.on(redis.uri(), postgres.freshDatabase())) {
            var client = new JobsClient(server);
            for (int i = 0; i < 12; i++) {
                client.submit("{'id':'part-" + i + "','name':'Part','queue':'parts','tasks':[{'id':'a'}]}");
            }
            var held = new ArrayList<JsonNode>();
            while (held.size() < 12) {
                held.add(client.claim("parts"));
            }
            var lost = partitionOf(redis, held.getFirst());
            var near = held.stream()
                    .filter(task -> !partitionOf(redis, task).equals(lost))
                    .findFirst()
                    .orElseThrow();
            var both = "{'items':[" + item(held.getFirst()) + "," + item(near) + "]}";

            // Nobody can rebuild it while PostgreSQL is away.
            postgres.pause();
            redis.commands().del("dev:hotstate:{" + lost + "}:incarnation");
            var refused = client.send("POST", "/tasks/complete", both);
            postgres.resume();

            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
            assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            assertThat(tree(refused).get("detail").asText()).contains("Send all of them again");
            Eventually.until("all are answered", () -> {
                var answer = client.send("POST", "/tasks/complete", both);
                return answer.statusCode() == 200
                        && tree(answer).at("/items/1/repeated").asBoolean();
            });
        }
    }

    @Test
    void whoAsksForTasksIsToldWhenNobodyCanBeAsked() {
        try (var redis = RedisServer.start();
                var postgres = PostgresServer.start();
                var server = RunningServer.on(redis.uri(), postgres.freshDatabase())) {
            var client = new JobsClient(server);
            client.send("PUT", "/queues/narrow", "{'concurrency':1}");

            postgres.pause();
            incarnations(redis).forEach(key -> redis.commands().del(key));
            var rebuilt = client.send("POST", "/tasks/claim", "{}");
            var narrow = client.send("POST", "/tasks/claim", "{'queues':['narrow'],'wait':'300ms'}");
            redis.kill();
            var away = client.send("POST", "/tasks/claim", "{'wait':'300ms'}");

            assertThat(List.of(rebuilt, narrow, away)).allSatisfy(refused -> {
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
                assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
            });
        }
    }

    @Test
    void whereSomePartitionsCanBeAskedWhoFindsNothingIsAnsweredWithNothing() {
        try (var redis = RedisServer.start();
                var postgres = PostgresServer.start();
                var server = RunningServer.on(redis.uri(), postgres.freshDatabase())) {
            var client = new JobsClient(server);

            Eventually.until("all is whole", () -> server.health().equals("up"));
            postgres.pause();
            redis.commands().del(incarnations(redis).getFirst());
            var answer = client.send("POST", "/tasks/claim", "{'queues':['nothing']}");
            postgres.resume();

            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
            assertThat(tree(answer).get("items")).isEmpty();
        }
    }

    /** Of the partitions of jobs. */
    private static List<String> incarnations(RedisServer redis) {
        var found = redis.keys().stream()
                .filter(key -> key.matches("dev:hotstate:\\{j\\w+}:incarnation"))
                .toList();
        assertThat(found).hasSize(4);
        return found;
    }

    private static String partitionOf(RedisServer redis, JsonNode task) {
        var end = ":job:" + task.get("job_id").asText();
        return redis.keys().stream()
                .filter(key -> key.endsWith(end))
                .map(key -> key.substring(key.indexOf('{') + 1, key.indexOf('}')))
                .findFirst()
                .orElseThrow();
    }

    private static String item(JsonNode task) {
        return "{'job_id':'%s','task_id':'%s','fence':'%s'}"
                .formatted(
                        task.get("job_id").asText(),
                        task.get("task_id").asText(),
                        task.get("fence").asText());
    }

    /** As the archive has it: Redis alone may forget it. */
    private static boolean hasSucceeded(PostgresDatabase database, String task) {
        try (var connection = database.connect();
                var query = connection.prepareStatement(
                        "SELECT 1 FROM jobs_tasks WHERE job_id = 'kept' AND task_id = ? AND status = 'SUCCEEDED'")) {
            query.setString(1, task);
            return query.executeQuery().next();
        } catch (SQLException broken) {
            throw new AssertionError(broken);
        }
    }

    /** Calls are refused while Redis is away or rebuilt, and are made again, as a worker would. */
    private static JsonNode next(JobsClient client, String task) {
        var found = new AtomicReference<JsonNode>();
        Eventually.until(task + " is handed out", () -> {
            var answer = client.send("POST", "/tasks/claim", "{'queues':['kept'],'wait':'1s','lease':'1m'}");
            if (answer.statusCode() != 200 || tree(answer).get("items").isEmpty()) {
                return false;
            }
            found.set(tree(answer).get("items").get(0));
            return true;
        });
        assertThat(found.get().get("task_id").asText()).isEqualTo(task);
        return found.get();
    }
}
