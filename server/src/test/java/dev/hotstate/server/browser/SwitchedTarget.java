package dev.hotstate.server.browser;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Something to watch, and to be told on: it answers 200 until it is taken down, and 503 then. */
final class SwitchedTarget implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean isDown;

    SwitchedTarget() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        server.setExecutor(threads);
        server.createContext("/hook", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(isDown ? 503 : 200, -1);
            exchange.close();
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    void takeDown() {
        isDown = true;
    }

    void bringUp() {
        isDown = false;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
