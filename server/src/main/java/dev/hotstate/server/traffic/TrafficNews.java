package dev.hotstate.server.traffic;

import dev.hotstate.core.Events;
import dev.hotstate.core.HotstateException;
import dev.hotstate.server.http.Json;
import dev.hotstate.traffic.Traffic;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of what came in, as {@code traffic.counted} with the fleet's figures: one a second at most for the whole fleet,
 * and none while nothing changes.
 */
final class TrafficNews implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TrafficNews.class);
    private static final String TOPIC = "traffic";
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final Traffic traffic;
    private final Events events;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread teller;

    private TrafficNews(Traffic traffic, Events events) {
        this.traffic = traffic;
        this.events = events;
        this.teller = Thread.ofVirtual().name("traffic-news").unstarted(this::tell);
    }

    static TrafficNews start(Traffic traffic, Events events) {
        var news = new TrafficNews(traffic, events);
        news.teller.start();
        return news;
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            teller.join(EVERY);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell() {
        try {
            while (!closing.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                tellOnce();
            }
        } catch (InterruptedException stopped) {
            // The end.
        }
    }

    private void tellOnce() {
        try {
            traffic.news().ifPresent(fleet -> events.publish(TOPIC, "counted", Json.text(Shown.fleet(fleet))));
        } catch (HotstateException away) {
            LOG.debug("nobody is told what came in: {}", away.getMessage());
        }
    }
}
