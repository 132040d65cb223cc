package dev.hotstate.monitors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.monitors.check.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the dashboards what has changed: monitors whose state is another one, four times a second at most and at most a
 * hundred at a time (what was more is said to be so), and incidents, each by itself.
 */
final class StateNews implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(StateNews.class);
    private static final String TOPIC = "monitors";
    private static final int MOST = 100;
    private static final int PERIOD_MS = 250;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Events events;
    private final Map<String, ObjectNode> changed = new LinkedHashMap<>();
    private boolean more;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("monitors-news").unstarted(this::run);

    StateNews(Events events) {
        this.events = events;
        thread.start();
    }

    synchronized void changed(Monitor monitor, Outcome outcome, Recorded recorded) {
        if (changed.size() >= MOST && !changed.containsKey(monitor.id())) {
            more = true;
            return;
        }
        ObjectNode item = JSON.createObjectNode()
                .put("id", monitor.id())
                .put("state", recorded.state().word())
                .put("before", recorded.before().word())
                .put("checked_at", recorded.at().toString())
                .put("latency_ms", outcome.latency().toMillis())
                .put("failure_count", recorded.failures());
        if (outcome.error() != null) {
            item.put("error", outcome.error());
        }
        changed.put(monitor.id(), item);
    }

    /** Definitions changed: whoever shows them should ask again. */
    void redefined(List<String> ids) {
        ObjectNode data = JSON.createObjectNode();
        ArrayNode items = data.putArray("ids");
        ids.stream().limit(MOST).forEach(items::add);
        data.put("more", ids.size() > MOST);
        publish("redefined", data);
    }

    /** @param verb opened, closed, released, acknowledged or reminded */
    void incident(String verb, Incident incident) {
        publish(
                "incident_" + verb,
                JSON.createObjectNode()
                        .put("incident_id", Long.toString(incident.id()))
                        .put("monitor", incident.monitor().id())
                        .put("name", incident.monitor().name()));
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            thread.join(1_000);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try {
            while (!closed.await(PERIOD_MS, TimeUnit.MILLISECONDS)) {
                flush();
            }
            flush();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void flush() {
        ObjectNode data;
        synchronized (this) {
            if (changed.isEmpty()) {
                return;
            }
            data = JSON.createObjectNode();
            data.putArray("items").addAll(changed.values());
            data.put("more", more);
            changed.clear();
            more = false;
        }
        publish("changed", data);
    }

    private void publish(String verb, ObjectNode data) {
        try {
            events.publish(TOPIC, verb, data.toString());
        } catch (HotstateException away) {
            log.debug("news of monitors are not told: {}", away.getMessage());
        }
    }
}
