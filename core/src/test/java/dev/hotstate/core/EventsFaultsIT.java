package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What subscribers see when Redis, or the way to it, fails. */
class EventsFaultsIT {
    private final RedisServer server = RedisServer.start("appendonly yes", "appendfsync always");

    @AfterEach
    void end() {
        server.close();
    }

    @Test
    void aRestartThatKeepsTheStreamsCausesNoReset() {
        try (Redis redis = Sample.connect(Sample.quick(server.uri()));
                Events events = new Events(redis, List.of("jobs"));
                Subscription subscription = events.subscribe(Set.of("jobs"), Optional.empty())) {
            events.publish("jobs", "before", "{}");
            assertThat(EventsContract.next(subscription).name()).isEqualTo("jobs.before");

            server.kill();
            Eventually.until("nothing is read", () -> !events.isReading());
            server.restart();
            publishOnce(events, "after");

            assertThat(EventsContract.next(subscription).name()).isEqualTo("jobs.after");
        }
    }

    @Test
    void aRestartThatLosesTheStreamsCausesAReset() {
        try (Redis redis = Sample.connect(Sample.quick(server.uri()));
                Events events = new Events(redis, List.of("jobs"));
                Subscription subscription = events.subscribe(Set.of("jobs"), Optional.empty())) {
            events.publish("jobs", "before", "{}");
            assertThat(EventsContract.next(subscription).name()).isEqualTo("jobs.before");

            server.restartEmpty();

            assertThat(EventsContract.next(subscription).name()).isEqualTo(Event.RESET);
            publishOnce(events, "after");
            assertThat(EventsContract.next(subscription).name()).isEqualTo("jobs.after");
        }
    }

    @Test
    void whatWasPublishedWhileTheReaderWasCutOffComesWhenItIsBack() {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                Redis near = Sample.connect(Sample.patient(server.uri()));
                Redis far = Sample.connect(Sample.quick("redis://127.0.0.1:" + proxy.port()));
                Events publisher = new Events(near, List.of("jobs"));
                Events reader = new Events(far, List.of("jobs"));
                Subscription subscription = reader.subscribe(Set.of("jobs"), Optional.empty())) {
            publisher.publish("jobs", "before", "{}");
            assertThat(EventsContract.next(subscription).name()).isEqualTo("jobs.before");

            proxy.cut();
            Eventually.until("nothing is read", () -> !reader.isReading());
            publisher.publish("jobs", "meanwhile", "{}");
            proxy.restore();

            assertThat(EventsContract.next(subscription).name()).isEqualTo("jobs.meanwhile");
        }
    }

    @Test
    void aReaderReadsOnOneConnectionWhileNothingHappens() {
        try (TcpProxy proxy = TcpProxy.to(server.port());
                Redis redis = Sample.connect(Sample.patient("redis://127.0.0.1:" + proxy.port()));
                Events events = new Events(redis, List.of("jobs"))) {
            Eventually.until("events are read", events::isReading);
            long connections = proxy.connections();
            long heard = proxy.bytesToClient();

            // Each look at the idle streams is answered with a few bytes.
            Eventually.until("the reader has looked several times", () -> proxy.bytesToClient() > heard + 20);

            assertThat(proxy.connections()).isEqualTo(connections);
        }
    }

    /** Publishes, and repeats that only where it surely did not happen. */
    private static void publishOnce(Events events, String verb) {
        Eventually.until("Redis takes events", () -> {
            try {
                events.publish("jobs", verb, "{}");
                return true;
            } catch (RedisUnavailableException notYet) {
                return false;
            }
        });
    }
}
