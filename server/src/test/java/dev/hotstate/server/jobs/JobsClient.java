package dev.hotstate.server.jobs;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.StreamSupport;

/** Jobs as a program sees them; JSON may be written with single quotes. */
final class JobsClient {
    private final RunningServer server;

    JobsClient(RunningServer server) {
        this.server = server;
    }

    JsonNode submit(String json) {
        var answer = send("POST", "/jobs", json);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return tree(answer);
    }

    HttpResponse<String> send(String method, String path, String json) {
        return server.call(method, path, json.replace('\'', '"'), "Content-Type", "application/json");
    }

    HttpResponse<String> send(String method, String path) {
        return server.call(method, path, "");
    }

    /** The one task that is ready in this queue, or will be. */
    JsonNode claim(String queue) {
        var answer = send("POST", "/tasks/claim", "{'worker':'w-1','queues':['" + queue + "'],'wait':'20s'}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        var items = tree(answer).get("items");
        assertThat(items).hasSize(1);
        return items.get(0);
    }

    HttpResponse<String> end(JsonNode claimed, String verb, String fields) {
        return send(
                "POST",
                path(claimed) + verb,
                "{'fence':'" + claimed.get("fence").asText() + "'" + fields + "}");
    }

    void complete(JsonNode claimed, String result) {
        var answer = end(claimed, "/complete", result.isEmpty() ? "" : ",'result':" + result);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    static String path(JsonNode claimed) {
        return "/jobs/" + claimed.get("job_id").asText() + "/tasks/"
                + claimed.get("task_id").asText();
    }

    JsonNode awaitStatus(String job, String status) {
        Eventually.until(job + " is " + status, () -> status(job).equals(status));
        return server.json("/jobs/" + job);
    }

    String status(String job) {
        return server.json("/jobs/" + job).path("status").asText();
    }

    String task(String job, String task) {
        return server.json("/jobs/" + job + "/tasks/" + task).path("status").asText();
    }

    /** The fields that a refusal names, in their order. */
    static List<String> refused(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        return texts(tree(answer).get("errors"), "field");
    }

    static List<String> texts(JsonNode items, String field) {
        return StreamSupport.stream(items.spliterator(), false)
                .map(item -> item.get(field).asText())
                .toList();
    }
}
