package dev.hotstate.server.http.ops;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One client of {@code /events}. At most 256 events wait for it; when it does not take them for ten seconds it is cut,
 * and may come again with the id of the last one it saw. Silence is broken every 15 seconds, so that a client that is
 * gone is noticed, and one whose token was revoked is sent away.
 */
final class EventStream implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);
    private static final int WAITING = 256;
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofSeconds(15);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final long RECHECK = Duration.ofSeconds(5).toNanos();
    private static final ServerEvent END = new ServerEvent(Optional.empty(), "end", "");

    private final BlockingQueue<ServerEvent> waiting = new ArrayBlockingQueue<>(WAITING);
    private final BooleanSupplier stillAllowed;
    private volatile boolean closed;

    EventStream(BooleanSupplier stillAllowed) {
        this.stillAllowed = stillAllowed;
    }

    /** Writes events until the stream is closed or the client is gone. */
    void writeTo(OutputStream out) throws IOException, InterruptedException {
        write(out, "retry: 2000\n: welcome\n\n");
        long checkedAt = System.nanoTime();
        while (!closed) {
            var event = waiting.poll(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (System.nanoTime() - checkedAt > RECHECK) {
                checkedAt = System.nanoTime();
                if (!stillAllowed.getAsBoolean()) {
                    return;
                }
            }
            if (event != END) {
                write(out, event == null ? ": still here\n\n" : text(event));
            }
        }
    }

    /** Puts a state in line; when there is no room it is left out, because a newer one follows. */
    void tell(ServerEvent state) {
        waiting.offer(state);
    }

    /**
     * Passes on what the source brings, in the calling thread, until the stream is closed. When the source fails (Redis
     * is away) the client stays and goes on where it was as soon as it can, or is told to look anew.
     */
    void passOn(EventSource source, Set<String> topics, Optional<String> lastEventId) {
        var last = lastEventId;
        boolean missed = false;
        while (!closed) {
            try (var subscription = source.subscribe(topics, last)) {
                if (missed && last.isEmpty()) {
                    put(new ServerEvent(Optional.empty(), "reset", "{}"));
                }
                missed = true;
                while (!closed) {
                    var event = subscription.next(SILENCE).orElse(null);
                    if (event != null) {
                        if (event.id().isPresent()) {
                            last = event.id();
                        }
                        put(event);
                    }
                }
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.debug("Events cannot be read now: {}", e.toString());
                pause();
            }
        }
    }

    private void put(ServerEvent event) throws InterruptedException {
        if (!waiting.offer(event, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
            LOG.debug("A client of /events is too slow and was cut");
            close();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        waiting.clear();
        waiting.offer(END);
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    private static String text(ServerEvent event) {
        var id = event.id().map(value -> "id: " + value + "\n").orElse("");
        return id + "event: " + event.name() + "\ndata: " + event.json() + "\n\n";
    }
}
