package dev.hotstate.server;

import dev.hotstate.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A client of {@code /events} that keeps the names of what it hears, in order. */
public final class EventsHeard implements AutoCloseable {
    private final List<String> names = new CopyOnWriteArrayList<>();
    private final HttpResponse<Stream<String>> response;

    EventsHeard(HttpClient client, HttpRequest request) {
        try {
            this.response = client.send(request, BodyHandlers.ofLines());
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        } catch (InterruptedException stopped) {
            throw new AssertionError("interrupted while connecting", stopped);
        }
        Thread.ofVirtual().name("events-heard").start(this::hear);
    }

    public HttpResponse<?> response() {
        return response;
    }

    /** Waits until these were heard, in this order, with others between them or not. */
    public void awaitInOrder(String... expected) {
        Eventually.until("events " + List.of(expected) + " come", names, () -> {
            var left = new ArrayDeque<>(List.of(expected));
            names.forEach(name -> {
                if (name.equals(left.peek())) {
                    left.pop();
                }
            });
            return left.isEmpty();
        });
    }

    /**
     * Waits for an event, or for the reset that may come in its stead: streams that Redis lost begin anew, and whoever
     * listened is told to look for himself.
     */
    public void awaitOrReset(String expected) {
        Eventually.until(
                expected + " or a reset comes", names, () -> names.contains(expected) || names.contains("reset"));
    }

    private void hear() {
        try {
            response.body()
                    .filter(line -> line.startsWith("event: "))
                    .forEach(line -> names.add(line.substring("event: ".length())));
        } catch (UncheckedIOException ended) {
            // The server closed the stream, or we did.
        }
    }

    @Override
    public void close() {
        response.body().close();
    }
}
