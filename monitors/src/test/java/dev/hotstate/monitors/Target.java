package dev.hotstate.monitors;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Something to watch: each path answers 200, or 503 while it is down. */
final class Target implements AutoCloseable {
    private final HttpServer server;
    private final Set<String> down = ConcurrentHashMap.newKeySet();
    private final AtomicInteger asked = new AtomicInteger();

    Target() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", exchange -> {
            asked.incrementAndGet();
            boolean broken = down.contains(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(broken ? 503 : 200, -1);
            exchange.close();
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    String url(String path) {
        return "http://localhost:" + server.getAddress().getPort() + path;
    }

    void breakDown(String path) {
        down.add(path);
    }

    void mend(String path) {
        down.remove(path);
    }

    int asked() {
        return asked.get();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
