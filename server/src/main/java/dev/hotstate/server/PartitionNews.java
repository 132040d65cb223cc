package dev.hotstate.server;

import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Incarnations;
import dev.hotstate.server.http.Json;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells of partitions that are lost and of those that are whole again, in the topic {@code system}, in their order. */
final class PartitionNews implements Consumer<Incarnations.State>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionNews.class);

    /** More than this is untold only while Redis is away, and then nobody could hear it. */
    private static final int MOST_UNTOLD = 1_000;

    private final Events events;
    private final BlockingQueue<Incarnations.State> untold = new ArrayBlockingQueue<>(MOST_UNTOLD);
    private final Thread teller;

    PartitionNews(Events events) {
        this.events = events;
        this.teller = Thread.ofVirtual().name("partition-news").start(this::tell);
    }

    /** Does not block the watcher: Redis may be the very thing that is away. */
    @Override
    public void accept(Incarnations.State state) {
        untold.offer(state);
    }

    @Override
    public void close() {
        teller.interrupt();
        try {
            teller.join(Duration.ofSeconds(1));
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell() {
        try {
            while (true) {
                publish(untold.take());
            }
        } catch (InterruptedException closed) {
            // The end.
        }
    }

    private void publish(Incarnations.State state) {
        try {
            events.publish("system", state.ready() ? "partition_ready" : "partition_lost", json(state));
        } catch (HotstateException away) {
            LOG.debug("nobody is told of {}: {}", state, away.getMessage());
        }
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
