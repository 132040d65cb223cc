package dev.hotstate.monitors.alert;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** The other side of webhooks: notes everything that comes, and answers as its path is told to. */
public final class Receiver implements AutoCloseable {
    private static final Behaviour OK = (exchange, nth) -> answer(exchange, 200, "ok");

    private final HttpServer server;
    private final Map<String, Behaviour> behaviours = new ConcurrentHashMap<>();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final CountDownLatch end = new CountDownLatch(1);

    public record Received(String path, String key, Headers headers, String body) {}

    /** What is done with the nth message of a path, counted from 1. */
    interface Behaviour {
        void answer(HttpExchange exchange, int nth) throws IOException, InterruptedException;
    }

    public Receiver() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::receive);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    public URI url(String path) {
        return URI.create("http://localhost:" + server.getAddress().getPort() + path);
    }

    void on(String path, Behaviour behaviour) {
        behaviours.put(path, behaviour);
    }

    /** Takes every message of a path and does not answer before the given moment, or the end. */
    void hold(String path, CountDownLatch until) {
        on(path, (exchange, nth) -> {
            until.await();
            answer(exchange, 200, "ok");
        });
    }

    /** Takes every message of a path and never answers. */
    void silence(String path) {
        hold(path, end);
    }

    public List<Received> at(String path) {
        return received.stream().filter(one -> one.path.equals(path)).toList();
    }

    public List<String> keys(String path) {
        return at(path).stream().map(Received::key).toList();
    }

    static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        end.countDown();
        server.stop(0);
    }

    private void receive(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        received.add(new Received(path, key, exchange.getRequestHeaders(), body));
        try {
            behaviours.getOrDefault(path, OK).answer(exchange, at(path).size());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
