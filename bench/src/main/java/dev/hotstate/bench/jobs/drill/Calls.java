package dev.hotstate.bench.jobs.drill;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hotstate.bench.drill.ServerProcess;
import dev.hotstate.bench.drill.Supervised;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Calls to any of the servers, whichever of them is there: what is not answered is asked again by who cares. */
final class Calls implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final Supervised<ServerProcess> servers;

    Calls(Supervised<ServerProcess> servers) {
        this.servers = servers;
    }

    record Answer(int status, String body) {
        JsonNode json() {
            return tree(body);
        }

        /** Whether the server has understood and decided; else it may be asked again. */
        boolean isDecided() {
            return status < 500 && status != 429;
        }
    }

    /** Empty where no answer came: then nobody knows whether it was done. */
    Optional<Answer> post(String path, String body) throws InterruptedException {
        List<ServerProcess> all = servers.all();
        String url = all.get(ThreadLocalRandom.current().nextInt(all.size())).url();
        HttpRequest request = HttpRequest.newBuilder(URI.create(url + path))
                .timeout(PATIENCE)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            return Optional.of(new Answer(response.statusCode(), response.body()));
        } catch (IOException gone) {
            return Optional.empty();
        }
    }

    static String text(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalArgumentException(impossible);
        }
    }

    static <T> T read(JsonNode json, Class<T> type) {
        try {
            return JSON.treeToValue(json, type);
        } catch (JsonProcessingException unreadable) {
            throw new IllegalArgumentException(unreadable);
        }
    }

    private static JsonNode tree(String body) {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException unreadable) {
            throw new IllegalArgumentException(body, unreadable);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
