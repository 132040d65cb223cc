package dev.hotstate.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** A running server on a free port, and ways to call it: as a well-behaved client, and byte by byte. */
public final class TestServer implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpServer server;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    public TestServer(HttpServer server) {
        this.server = server;
    }

    public static TestServer open(Routes... routes) {
        return new TestServer(HttpServer.start(
                HttpOptions.onLoopback(0), List.of(routes), Authenticator.none(), HttpServer.Hooks.NONE));
    }

    /** A feature of a few routes, for tests of the frame. */
    public static Routes routes(Route... routes) {
        return new Routes() {
            @Override
            public String feature() {
                return "test";
            }

            @Override
            public List<Route> routes() {
                return List.of(routes);
            }
        };
    }

    public int port() {
        return server.port();
    }

    public String url() {
        return server.url();
    }

    public HttpClient client() {
        return client;
    }

    /** @param headers names and values in turn */
    public HttpResponse<String> call(String method, String path, String body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(server.url() + path)).timeout(Duration.ofSeconds(20));
        if (headers.length > 0) {
            request.headers(headers);
        }
        var publisher =
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        return send(request.method(method, publisher).build());
    }

    public HttpResponse<String> get(String path, String... headers) {
        return call("GET", path, "", headers);
    }

    public HttpResponse<String> json(String method, String path, String body) {
        return call(method, path, body, "Content-Type", "application/json");
    }

    public HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Sends these very characters and gives back all that comes until the server closes the connection. */
    public String raw(String request) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A GET with this Host header. */
    public String rawGet(String path, String host) {
        return raw("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
    }

    public static JsonNode tree(HttpResponse<String> response) {
        try {
            return MAPPER.readTree(response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(response.body(), e);
        }
    }

    /** Stops the server alone; the client can still read what it got. */
    public void stop() {
        server.close();
    }

    @Override
    public void close() {
        // The client waits for its answers to end, so the server goes first.
        server.close();
        client.close();
    }
}
