package dev.hotstate.server.http.ops;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** {@code /events}: what happens, as server-sent events. */
public final class EventRoutes implements Routes {
    private static final String SYSTEM = "system";
    private static final int LONGEST_ID = 512;

    private final EventSource source;
    private final HealthEvents healthEvents;
    private final Set<String> topics;
    private final Semaphore places;
    private final Set<EventStream> streams = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    /**
     * @param topics what can be listened to, {@code system} among them
     * @param mostStreams how many clients may listen at a time
     */
    public EventRoutes(EventSource source, Health health, Set<String> topics, int mostStreams) {
        this.source = source;
        this.healthEvents = new HealthEvents(health);
        this.topics = new TreeSet<>(topics);
        this.places = new Semaphore(mostStreams);
    }

    @Override
    public String feature() {
        return "events";
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.get("/events", Access.VIEWER, this::listen));
    }

    @Override
    public void stopping() {
        stopping = true;
        streams.forEach(EventStream::close);
    }

    private Answer listen(Request request) {
        var wanted = wanted(request);
        var lastEventId = lastEventId(request);
        if (places.availablePermits() == 0) {
            throw Problem.unavailable("As many clients listen here as may.", Duration.ofSeconds(5));
        }
        return Answer.stream("text/event-stream", out -> stream(request, wanted, lastEventId, out))
                .with("X-Accel-Buffering", "no");
    }

    private Set<String> wanted(Request request) {
        var text = request.query("topics").orElse("");
        if (text.isEmpty()) {
            return topics;
        }
        var wanted = new TreeSet<String>();
        for (var topic : text.split(",")) {
            if (!topics.contains(topic.trim())) {
                throw Problem.invalid("topics", "must be some of " + String.join(", ", topics));
            }
            wanted.add(topic.trim());
        }
        return wanted;
    }

    private static Optional<String> lastEventId(Request request) {
        var id = request.header("Last-Event-ID").filter(text -> !text.isEmpty());
        if (id.isPresent() && id.get().length() > LONGEST_ID) {
            throw Problem.invalid("Last-Event-ID", "is not the id of an event");
        }
        return id;
    }

    private void stream(Request request, Set<String> wanted, Optional<String> lastEventId, OutputStream out)
            throws IOException, InterruptedException {
        if (!places.tryAcquire()) {
            // Somebody took the last place just now; this client comes again by itself and is told so then.
            return;
        }
        var stream = new EventStream(request::isStillAllowed);
        streams.add(stream);
        var pump = Thread.ofVirtual().name("events").start(() -> stream.passOn(source, wanted, lastEventId));
        try {
            if (wanted.contains(SYSTEM)) {
                healthEvents.join(stream);
            }
            if (!stopping) {
                stream.writeTo(out);
            }
        } finally {
            stream.close();
            streams.remove(stream);
            healthEvents.leave(stream);
            pump.interrupt();
            places.release();
        }
    }
}
