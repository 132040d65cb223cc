package dev.hotstate.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.hotstate.server.config.Settings;
import dev.hotstate.testkit.PostgresDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The whole server in this JVM, on a real Redis and PostgreSQL, and ways to call it. */
public final class RunningServer implements AutoCloseable {
    private static final JsonMapper MAPPER = new JsonMapper();

    /** Of a caller who asks for no time: a machine that does much else may stand still for a while. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /**
     * What makes an outage short, and lets a busy machine take its time: it is the course of things that is tested, not
     * its default times. Nothing audits by itself, and no worker of the server's own is waited for when it ends.
     */
    private static final Map<String, String> QUICK = Map.of(
            "HOTSTATE_PORT", "0",
            "HOTSTATE_REDIS_TIMEOUT", "1s",
            "HOTSTATE_REDIS_BREAKER_PROBE", "100ms",
            "HOTSTATE_POSTGRES_TIMEOUT", "2s",
            "HOTSTATE_SHUTDOWN_TIMEOUT", "2s",
            "HOTSTATE_AUDIT_EVERY", "0s",
            "HOTSTATE_AUDIT_WATCH", "100ms",
            "HOTSTATE_JOBS_HTTP", "false");

    private final HotstateServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    private RunningServer(HotstateServer server) {
        this.server = server;
    }

    public static RunningServer on(String redisUrl, PostgresDatabase database) {
        return on(redisUrl, database, Map.of());
    }

    /** @param environment settings by their variables, such as {@code HOTSTATE_PORT} */
    public static RunningServer on(String redisUrl, PostgresDatabase database, Map<String, String> environment) {
        var variables = new HashMap<>(QUICK);
        variables.putAll(environment);
        var settings = Settings.load(Path.of("no such folder"), variables, Map.of());
        return new RunningServer(
                HotstateServer.start(settings, new HotstateServer.Servers(redisUrl, urlOf(database), false)));
    }

    /** With user and password in it, as an operator writes it. */
    public static String urlOf(PostgresDatabase database) {
        return "%s?user=%s&password=%s".formatted(database.jdbcUrl(), database.user(), database.password());
    }

    public String url() {
        return server.url();
    }

    public int port() {
        return server.port();
    }

    /** @param headers names and values in turn */
    public HttpResponse<String> get(String path, String... headers) {
        return send(request(path, headers).build());
    }

    public HttpResponse<String> post(String path, String json) {
        return send(request(path, "Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    /** @param headers names and values in turn */
    public HttpResponse<String> call(String method, String path, String body, String... headers) {
        return send(request(path, headers)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    public JsonNode json(String path) {
        return tree(get(path));
    }

    public static JsonNode tree(HttpResponse<String> response) {
        try {
            return MAPPER.readTree(response.body());
        } catch (IOException broken) {
            throw new UncheckedIOException(response.body(), broken);
        }
    }

    /** One part of {@code /health/ready}. */
    public JsonNode part(String name) {
        for (var part : json("/health/ready").get("parts")) {
            if (part.get("name").asText().equals(name)) {
                return part;
            }
        }
        throw new AssertionError("health tells of no part " + name);
    }

    /** The status of the whole: up, degraded or down. */
    public String health() {
        return json("/health/ready").get("status").asText();
    }

    public EventsHeard listen(String topics) {
        return new EventsHeard(client, request("/events?topics=" + topics).build());
    }

    private HttpRequest.Builder request(String path, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(server.url() + path)).timeout(PATIENCE);
        return headers.length == 0 ? request : request.headers(headers);
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException broken) {
            throw new UncheckedIOException(request + ": " + broken.getMessage(), broken);
        } catch (InterruptedException stopped) {
            throw new AssertionError("interrupted during a call", stopped);
        }
    }

    @Override
    public void close() {
        server.close();
        client.shutdownNow();
    }
}
