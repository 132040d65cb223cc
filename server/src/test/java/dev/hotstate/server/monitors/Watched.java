package dev.hotstate.server.monitors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A web server that can be well or not: what monitors watch, and what their alerts are sent to. */
final class Watched implements AutoCloseable {
    private final HttpServer server;
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private volatile int status = 200;

    /** @param headers by their names in lower case, the first of each */
    record Heard(String method, String path, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.getOrDefault(name, "");
        }
    }

    Watched() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    void answers(int newStatus) {
        status = newStatus;
    }

    /** What was sent to that path. */
    List<Heard> heard(String path) {
        return heard.stream().filter(request -> request.path.equals(path)).toList();
    }

    private void answer(HttpExchange exchange) throws IOException {
        var headers = new TreeMap<String, String>();
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
        var body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        heard.add(
                new Heard(exchange.getRequestMethod(), exchange.getRequestURI().getPath(), Map.copyOf(headers), body));
        boolean hook = exchange.getRequestURI().getPath().startsWith("/hook");
        exchange.sendResponseHeaders(hook ? 200 : status, -1);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
