package dev.hotstate.server.monitors;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.StreamSupport;

/** Calls about monitors, with single quotes in their JSON. */
record MonitorsClient(RunningServer server) {
    JsonNode create(String json) {
        var answer = send("POST", "/monitors", json);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return tree(answer);
    }

    HttpResponse<String> send(String method, String path, String json) {
        return server.call(method, path, json.replace('\'', '"'), "Content-Type", "application/json");
    }

    HttpResponse<String> send(String method, String path) {
        return server.call(method, path, "");
    }

    JsonNode monitor(String id) {
        return server.json("/monitors/" + id);
    }

    void awaitState(String id, String state) {
        Eventually.until(
                id + " is " + state, () -> monitor(id).path("state").asText().equals(state));
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
