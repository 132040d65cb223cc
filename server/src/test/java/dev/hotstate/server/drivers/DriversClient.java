package dev.hotstate.server.drivers;

import static dev.hotstate.server.RunningServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Drivers as a program sees them; JSON may be written with single quotes. */
final class DriversClient {
    /** Ten thousand fixes are many for a Redis that shares its machine with other tests; how long it takes is not tested. */
    static final Map<String, String> PATIENT =
            Map.of("HOTSTATE_REDIS_TIMEOUT", "5s", "HOTSTATE_REDIS_DEADLINE", "15s");

    private final RunningServer server;

    /** Of a server that is ready: until its regions are, fixes are answered 503. */
    DriversClient(RunningServer server) {
        this.server = server;
        Eventually.until("all is up", () -> server.health().equals("up"));
    }

    HttpResponse<String> send(String method, String path, String json) {
        return server.call(method, path, json.replace('\'', '"'), "Content-Type", "application/json");
    }

    HttpResponse<String> send(String method, String path) {
        return server.call(method, path, "");
    }

    /** A fix that is taken. */
    JsonNode locate(String id, double lat, double lon) {
        return ok(send("PATCH", "/drivers/" + id + "/location", "{'lat':" + lat + ",'lon':" + lon + "}"));
    }

    JsonNode mark(String id, String status) {
        return ok(send("PUT", "/drivers/" + id + "/status", "{'status':'" + status + "'}"));
    }

    JsonNode describe(String id, String profile) {
        return ok(send("PUT", "/drivers/" + id, profile));
    }

    String status(String id) {
        return server.json("/drivers/" + id).path("status").asText();
    }

    /** Who is found there, nearest first. */
    List<String> found(String query) {
        return texts(ok(send("GET", "/drivers/available?" + query)).get("items"), "id");
    }

    static JsonNode ok(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return tree(answer);
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
