package dev.hotstate.server;

import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Incarnations;
import dev.hotstate.server.http.Json;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of partitions that are lost and of those that are whole again, in the topic {@code system}. */
final class PartitionNews implements Consumer<Incarnations.State> {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionNews.class);

    private final Events events;

    PartitionNews(Events events) {
        this.events = events;
    }

    /** Does not block the watcher: Redis may be the very thing that is away. */
    @Override
    public void accept(Incarnations.State state) {
        Thread.ofVirtual().name("partition-news").start(() -> {
            try {
                events.publish("system", state.ready() ? "partition_ready" : "partition_lost", json(state));
            } catch (HotstateException away) {
                LOG.debug("nobody is told of {}: {}", state, away.getMessage());
            }
        });
    }

    private static String json(Incarnations.State state) {
        var message = state.feature() + " " + state.partition()
                + (state.ready() ? " is whole again" : " is being rebuilt: " + state.reason());
        return Json.text(new News(
                message,
                state.ready() ? "up" : "rebuilding",
                state.feature(),
                state.partition().tag(),
                state.incarnation()));
    }

    private record News(String message, String status, String feature, String partition, long incarnation) {}
}
