package dev.hotstate.monitors.alert;

import static dev.hotstate.monitors.alert.Outboxes.QUICK;
import static dev.hotstate.monitors.alert.Outboxes.opened;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.monitors.alert.Delivery.Status;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Senders that stop and a PostgreSQL that goes away, at the worst of moments. */
@Timeout(120)
class AlertFaultsIT {
    private static PostgresServer server;
    private final Receiver receiver = new Receiver();
    private final List<Outboxes> opened = new ArrayList<>();
    private final List<Alerting> running = new ArrayList<>();
    private final Outboxes db = open();
    private final long incident = db.incident();

    @BeforeAll
    static void startServer() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void closeServer() {
        server.close();
    }

    @AfterEach
    void close() {
        receiver.close();
        running.forEach(Alerting::close);
        db.empty();
        opened.forEach(Outboxes::close);
    }

    @Test
    void aSenderThatDiesBetweenSendingAndRecordingCausesOneRepeatWithTheSameKey() {
        var answer = new CountDownLatch(1);
        receiver.hold("/ops", answer);
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");
        var doomed = open();
        var dying = start(doomed, QUICK.withPace(Outboxes.pace(Duration.ofSeconds(60), Duration.ofSeconds(61))));
        Eventually.until("the message is out", () -> receiver.at("/ops").size() == 1);
        // As a process that is killed: what it holds can neither be recorded nor handed back.
        doomed.close();
        dying.close();
        answer.countDown();
        assertThat(db.fates(incident)).containsExactly(Status.SENDING);
        letTheLeaseRunOut();

        start(db, QUICK);

        db.await(incident, Status.DELIVERED);
        assertThat(receiver.keys("/ops")).containsExactly(incident + "-opened-0-ops", incident + "-opened-0-ops");
        assertThat(db.only(incident).attempts()).isEqualTo(2);
    }

    @Test
    void aSenderThatIsClosedHandsBackWhatItCouldNotFinish() {
        receiver.on("/ops", (exchange, nth) -> {
            if (nth == 1) {
                new CountDownLatch(1).await();
            }
            Receiver.answer(exchange, 200, "ok");
        });
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");
        // Its lease would be longer than the test.
        var first = start(db, QUICK.withPace(Outboxes.pace(Duration.ofMinutes(5), Duration.ofMinutes(6))));
        Eventually.until("the message is out", () -> receiver.at("/ops").size() == 1);

        first.close();
        assertThat(db.only(incident).status()).isEqualTo(Status.PENDING);
        assertThat(db.only(incident).error()).isEqualTo("its sender was stopped");

        start(db, QUICK);
        db.await(incident, Status.DELIVERED);
    }

    @Test
    void aSenderThatIsClosedFinishesWhatIsAboutToArrive() {
        var answer = new CountDownLatch(1);
        receiver.hold("/ops", answer);
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");
        var alerting = start(db, QUICK);
        Eventually.until("the message is out", () -> receiver.at("/ops").size() == 1);

        var closing = Thread.startVirtualThread(alerting::close);
        answer.countDown();

        Eventually.until("it is closed", () -> !closing.isAlive());
        assertThat(db.fates(incident)).containsExactly(Status.DELIVERED);
        assertThat(receiver.at("/ops")).hasSize(1);
    }

    @Test
    void aLateSenderIsNotHeardOnceAnotherHasTakenOver() {
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");
        var deliveries = new PostgresDeliveries(db.database);
        var late = deliveries.claim(1, 1, Map.of(), Duration.ofHours(1)).getFirst();
        letTheLeaseRunOut();
        deliveries.expire(Duration.ZERO);
        var next = deliveries.claim(1, 1, Map.of(), Duration.ofHours(1)).getFirst();

        assertThat(deliveries.failed(late, "late", Duration.ZERO, QUICK.retries()))
                .isFalse();
        assertThat(deliveries.dead(late, "late")).isFalse();
        assertThat(deliveries.delivered(late, null)).isFalse();
        assertThat(db.fates(incident)).containsExactly(Status.SENDING);
        assertThat(deliveries.delivered(next, null)).isTrue();
        assertThat(deliveries.delivered(next, null)).isFalse();
    }

    @Test
    void aLateSenderIsStillHeardWhileNobodyHasTakenOver() {
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");
        var deliveries = new PostgresDeliveries(db.database);
        var late = deliveries.claim(1, 1, Map.of(), Duration.ofHours(1)).getFirst();
        letTheLeaseRunOut();
        deliveries.expire(Duration.ofHours(1));
        assertThat(db.fates(incident)).containsExactly(Status.PENDING);
        assertThat(deliveries.claim(1, 1, Map.of(), Duration.ofHours(1))).isEmpty();

        assertThat(deliveries.delivered(late, null)).isTrue();
        assertThat(db.fates(incident)).containsExactly(Status.DELIVERED);
    }

    @Test
    void aReplayDoesNotMakeAnOldFenceValidAgain() {
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");
        var deliveries = new PostgresDeliveries(db.database);
        var old = deliveries.claim(1, 1, Map.of(), Duration.ofHours(1)).getFirst();
        assertThat(deliveries.dead(old, "hopeless")).isTrue();
        assertThat(deliveries.replay(old.id())).isTrue();
        var replayed = deliveries.claim(1, 1, Map.of(), Duration.ofHours(1)).getFirst();

        assertThat(replayed.attempts()).isEqualTo(old.attempts());
        assertThat(deliveries.delivered(old, null)).isFalse();
        assertThat(deliveries.delivered(replayed, null)).isTrue();
    }

    @Test
    void aPostgresThatIsAwayForLongerThanALeaseMakesNoRepeat() {
        var answer = new CountDownLatch(1);
        receiver.hold("/ops", answer);
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");
        var pace = QUICK.pace();
        var graceful = QUICK.withPace(new AlertOptions.Pace(
                pace.workers(),
                pace.perChannel(),
                Duration.ofSeconds(60),
                Duration.ofSeconds(61),
                Duration.ofSeconds(30),
                pace.poll()));
        start(db, graceful);
        start(open(), graceful);
        Eventually.until("the message is out", () -> receiver.at("/ops").size() == 1);
        letTheLeaseRunOut();
        server.pause();
        try {
            answer.countDown();
        } finally {
            server.resume();
        }

        db.await(incident, Status.DELIVERED);
        // One more alert goes through all of it, so whatever was to be repeated has been.
        long next = db.incident();
        db.add(opened(next), "ops");
        db.await(next, Status.DELIVERED);
        assertThat(receiver.keys("/ops")).containsExactly(incident + "-opened-0-ops", next + "-opened-0-ops");
    }

    @Test
    void aPostgresThatDiesAndComesBackLosesNoAlert() {
        var answer = new CountDownLatch(1);
        receiver.hold("/ops", answer);
        db.webhook("ops", receiver.url("/ops"));
        var all = new ArrayList<Long>();
        for (int i = 0; i < 10; i++) {
            all.add(db.incident());
            db.add(opened(all.getLast()), "ops");
        }
        start(db, QUICK.withPace(Outboxes.pace(Duration.ofSeconds(30), Duration.ofSeconds(31))));
        Eventually.until("some are out", () -> receiver.at("/ops").size() == 2);

        server.kill();
        answer.countDown();
        server.restart();

        all.forEach(each -> db.await(each, Status.DELIVERED));
        assertThat(receiver.keys("/ops")).hasSize(10).doesNotHaveDuplicates();
    }

    /** In place of waiting for it: PostgreSQL's clock decides, and it is not ours to set. */
    private void letTheLeaseRunOut() {
        db.database.useHandle(handle -> handle.execute(
                "UPDATE monitors_deliveries SET lease_until = now() - interval '1 second' WHERE status = 'sending'"));
    }

    private Alerting start(Outboxes outboxes, AlertOptions options) {
        var alerting = outboxes.start(options);
        running.add(alerting);
        return alerting;
    }

    private Outboxes open() {
        var outboxes = new Outboxes(DatabaseOptions.of("postgres://postgres@localhost:" + server.port() + "/postgres")
                .withConnectTimeout(Duration.ofSeconds(2))
                .withQueryTimeout(Duration.ofSeconds(10)));
        opened.add(outboxes);
        return outboxes;
    }
}
