package dev.hotstate.bench.monitors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The calls of a server, each of which must succeed. */
final class Api implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final String url;

    Api(String url) {
        this.url = url;
    }

    String get(String path) {
        return send(request(path).GET().build());
    }

    JsonNode json(String path) {
        try {
            return JSON.readTree(get(path));
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    void put(String path, Object body) {
        try {
            send(request(path)
                    .header("Content-Type", "application/json")
                    .PUT(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)))
                    .build());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path)).timeout(PATIENCE);
    }

    private String send(HttpRequest request) {
        try {
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            if (response.statusCode() >= 300) {
                throw new IllegalStateException(request + ": " + response.statusCode() + " " + response.body());
            }
            return response.body();
        } catch (IOException failed) {
            throw new UncheckedIOException(request + ": " + failed.getMessage(), failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted during a call", stopped);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
