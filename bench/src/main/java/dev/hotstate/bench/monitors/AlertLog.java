package dev.hotstate.bench.monitors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hotstate.bench.drill.Waiting;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** The webhook that is alerted: notes every message, and takes it, refuses it or leaves it without an answer. */
final class AlertLog implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int SLOWEST_MS = 200;

    /** Longer than any sender waits. */
    private static final Duration SILENCE = Duration.ofSeconds(12);

    private final List<Message> messages = new ArrayList<>();
    private final HttpServer server;
    private volatile Mood mood = Mood.TAKING;

    enum Mood {
        TAKING,
        REFUSING,
        SILENT
    }

    /** @param taken whether it was answered with 200 */
    record Message(Instant at, String key, String event, long incident, String monitor, boolean taken) {}

    AlertLog() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        server.createContext("/", this::receive);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    void be(Mood next) {
        mood = next;
    }

    /** In the order in which they were answered. */
    synchronized List<Message> messages() {
        return List.copyOf(messages);
    }

    /** After a while, so that some messages are under way when a server is killed. */
    private void receive(HttpExchange exchange) throws IOException {
        Mood now = mood;
        JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
        Waiting.pause(
                now == Mood.SILENT
                        ? SILENCE
                        : Duration.ofMillis(ThreadLocalRandom.current().nextInt(SLOWEST_MS)));
        note(new Message(
                Site.CLOCK.instant(),
                String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")),
                body.path("event").asText(),
                body.path("incident_id").asLong(),
                body.at("/monitor/id").asText(),
                now == Mood.TAKING));
        if (now != Mood.SILENT) {
            exchange.sendResponseHeaders(now == Mood.TAKING ? 200 : 500, -1);
        }
        exchange.close();
    }

    private synchronized void note(Message message) {
        messages.add(message);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
