package dev.hotstate.monitors.alert;

import dev.hotstate.monitors.alert.Delivery.Status;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.Eventually;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** A database with an outbox, and what tests do with it. */
final class Outboxes implements AutoCloseable {
    static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");
    static final InstantSource CLOCK = InstantSource.fixed(NOW);

    /** Leases and waits short enough for a test to see them run out. */
    static final AlertOptions QUICK = AlertOptions.DEFAULTS
            .withPace(new AlertOptions.Pace(
                    16,
                    2,
                    Duration.ofSeconds(10),
                    Duration.ofSeconds(11),
                    Duration.ofMillis(500),
                    Duration.ofMillis(50)))
            .withRetries(
                    new AlertOptions.Retries(Duration.ofMillis(10), Duration.ofMillis(100), 5, Duration.ofHours(24)));

    private static final AtomicLong INCIDENTS = new AtomicLong(1000);

    final Database database;
    final PostgresOutbox outbox;
    final Channels channels;

    Outboxes(String jdbcUrl) {
        this(DatabaseOptions.of(jdbcUrl));
    }

    Outboxes(DatabaseOptions options) {
        database = Database.open(options);
        database.migrate(List.of(MigrationSet.of("monitors")));
        outbox = new PostgresOutbox(database);
        channels = new Channels(database, CLOCK);
    }

    static AlertOptions.Pace pace(Duration timeout, Duration lease) {
        var pace = QUICK.pace();
        return new AlertOptions.Pace(pace.workers(), pace.perChannel(), timeout, lease, pace.grace(), pace.poll());
    }

    Alerting start(AlertOptions options) {
        return Alerting.start(database, options, new SimpleMeterRegistry(), CLOCK);
    }

    long incident() {
        return INCIDENTS.incrementAndGet();
    }

    String webhook(String id, URI url) {
        return channels.put(new Channel(id, new Webhook(HookUrl.of(url.toString()), null, Map.of())))
                .id();
    }

    void add(Alert alert, String... to) {
        database.useTransaction(handle -> outbox.add(handle, alert, Arrays.asList(to), false));
    }

    void hold(Alert alert, String... to) {
        database.useTransaction(handle -> outbox.add(handle, alert, Arrays.asList(to), true));
    }

    /** So that tests which share a database do not find each other's alerts. */
    void empty() {
        database.useHandle(handle -> handle.execute("TRUNCATE monitors_deliveries, monitors_channels"));
    }

    List<Status> fates(long incident) {
        return outbox.of(incident).stream().map(Delivery::status).toList();
    }

    Delivery only(long incident) {
        var deliveries = outbox.of(incident);
        if (deliveries.size() != 1) {
            throw new AssertionError("not one: " + deliveries);
        }
        return deliveries.getFirst();
    }

    void await(long incident, Status status) {
        Eventually.until(
                "all of incident " + incident + " is " + status,
                () -> !fates(incident).isEmpty() && fates(incident).stream().allMatch(status::equals));
    }

    static Alert opened(long incident) {
        return alert(Alert.Kind.OPENED, 0, incident);
    }

    static Alert reminder(long incident, int sequence) {
        return alert(Alert.Kind.REMINDER, sequence, incident);
    }

    static Alert closed(long incident) {
        return alert(Alert.Kind.CLOSED, 0, incident);
    }

    private static Alert alert(Alert.Kind kind, int sequence, long incident) {
        return named("Web shop", kind, sequence, incident);
    }

    static Alert named(String name, Alert.Kind kind, int sequence, long incident) {
        return new Alert(
                kind,
                sequence,
                incident,
                new Alert.Subject("web-1", name, "https://shop.example.com/"),
                3,
                NOW.minusSeconds(90),
                kind == Alert.Kind.CLOSED ? NOW : null,
                "status was 503, expected < 400");
    }

    @Override
    public void close() {
        database.close();
    }
}
