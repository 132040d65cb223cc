package dev.hotstate.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which running server a command calls, and as whom. */
final class ServerOptions {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @Option(
            names = "--url",
            paramLabel = "URL",
            defaultValue = "http://127.0.0.1:8080",
            description = "The server to call (default: ${DEFAULT-VALUE}).")
    private String url = "";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            defaultValue = "${env:HOTSTATE_TOKEN}",
            description = "Where tokens are needed (default: HOTSTATE_TOKEN, which others on the machine cannot see).")
    private @Nullable String token;

    /** What a server answered. A refusal of what was sent is an answer too. */
    record Reply(int status, JsonNode json) {
        boolean isOk() {
            return status < 300;
        }
    }

    /**
     * @param headers names and values in turn
     * @throws CommandFailedException when nothing that was sent is at fault: no answer, no right, no such part
     */
    Reply put(String path, String type, String body, String... headers) {
        var request = request(path).header("Content-Type", type).PUT(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return reply(send(request.build()));
    }

    /** As {@link #put}. */
    Reply post(String path, String type, String body) {
        return reply(send(request(path)
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build()));
    }

    /** As {@link #put}. */
    Reply get(String path) {
        return reply(send(request(path).GET().build()));
    }

    /** Each {@code line} of an event stream, until its {@code end}; where the connection breaks, from there on again. */
    void follow(String path, Consumer<JsonNode> line) {
        var stream = new EventLines(line);
        var pauses = new Pauses();
        try (var client = HttpClient.newBuilder().connectTimeout(LONGEST).build()) {
            while (!stream.ended()) {
                pauses.before(stream.last());
                var request = request(path).setHeader("Accept", "text/event-stream, application/problem+json");
                stream.last().ifPresent(id -> request.header("Last-Event-ID", id));
                var response = client.send(request.GET().build(), BodyHandlers.ofLines());
                try (var lines = response.body()) {
                    if (response.statusCode() >= 300) {
                        throw refusal(response.statusCode(), json(lines.collect(Collectors.joining())));
                    }
                    stream.read(lines);
                }
            }
        } catch (IOException away) {
            throw new CommandFailedException("the server at " + url + " does not answer: is it up?");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted");
        }
    }

    private HttpRequest.Builder request(String path) {
        try {
            var request = HttpRequest.newBuilder(URI.create(url.replaceFirst("/+$", "") + path))
                    .timeout(LONGEST)
                    .header("Accept", "application/json, application/problem+json");
            return token == null || token.isBlank()
                    ? request
                    : request.header("Authorization", "Bearer " + token.strip());
        } catch (IllegalArgumentException mistaken) {
            throw new CommandFailedException("--url and --token make no request: " + url + " must be an address such as"
                    + " http://127.0.0.1:8080, and a token has no spaces");
        }
    }

    private HttpResponse<String> send(HttpRequest request) {
        try (var client = HttpClient.newBuilder().connectTimeout(LONGEST).build()) {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException away) {
            throw new CommandFailedException("the server at " + url + " does not answer: is it up?");
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new CommandFailedException("interrupted");
        }
    }

    private Reply reply(HttpResponse<String> response) {
        var json = json(response.body());
        int status = response.statusCode();
        boolean ofWhatWasSent = status == 400 || status == 412 || status == 413;
        if (status >= 300 && !ofWhatWasSent) {
            throw refusal(status, json);
        }
        return new Reply(status, json);
    }

    private CommandFailedException refusal(int status, JsonNode problem) {
        return new CommandFailedException("the server at " + url + " answered " + status + ": "
                + problem.path("detail").asText("it may be no hotstate"));
    }

    static JsonNode json(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (IOException other) {
            return MAPPER.createObjectNode();
        }
    }
}
