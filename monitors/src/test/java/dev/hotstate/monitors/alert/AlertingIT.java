package dev.hotstate.monitors.alert;

import static dev.hotstate.monitors.alert.Outboxes.QUICK;
import static dev.hotstate.monitors.alert.Outboxes.closed;
import static dev.hotstate.monitors.alert.Outboxes.opened;
import static dev.hotstate.monitors.alert.Outboxes.reminder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.monitors.alert.Delivery.Status;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class AlertingIT {
    private static Outboxes db;
    private final Receiver receiver = new Receiver();
    private final List<Alerting> running = new ArrayList<>();
    private final long incident = db.incident();

    @BeforeAll
    static void open(PostgresDatabase postgres) {
        db = new Outboxes(postgres.jdbcUrl());
    }

    @AfterAll
    static void close() {
        db.close();
    }

    @AfterEach
    void stop() {
        receiver.close();
        running.forEach(Alerting::close);
        db.empty();
    }

    @Test
    void anAlertThatIsCommittedIsDeliveredWithItsKey() {
        var alerting = start(QUICK);
        db.add(opened(incident), channel("ops", "/ops"), channel("boss", "/boss"));
        alerting.nudge();

        db.await(incident, Status.DELIVERED);

        assertThat(receiver.keys("/ops")).containsExactly(incident + "-opened-0-ops");
        assertThat(receiver.keys("/boss")).containsExactly(incident + "-opened-0-boss");
        assertThat(db.outbox.of(incident)).allSatisfy(delivery -> {
            assertThat(delivery.attempts()).isEqualTo(1);
            assertThat(delivery.error()).isNull();
            assertThat(delivery.lastAttemptAt()).isNotNull();
            assertThat(delivery.deliveredAt()).isNotNull();
            assertThat(delivery.nextAttemptAt()).isNull();
            assertThat(delivery.idempotencyKey()).isEqualTo(incident + "-opened-0-" + delivery.channel());
        });
    }

    @Test
    void whatATransactionAddsIsThereWithItOnlyAndOnce() {
        String ops = channel("ops", "/ops");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> db.database.useTransaction(handle -> {
                    db.outbox.add(handle, opened(incident), List.of(ops), false);
                    throw new IllegalStateException("the incident could not be opened");
                }));
        assertThat(db.outbox.of(incident)).isEmpty();

        db.add(opened(incident), ops);
        db.add(opened(incident), ops, ops);
        assertThat(db.fates(incident)).containsExactly(Status.PENDING);

        start(QUICK);
        db.await(incident, Status.DELIVERED);
        db.add(opened(incident), ops);
        db.add(reminder(incident, 0), ops);
        db.await(incident, Status.DELIVERED);
        assertThat(receiver.keys("/ops")).containsExactly(incident + "-opened-0-ops", incident + "-reminder-0-ops");
    }

    @Test
    void aFailingWebhookIsTriedAgainWithTheSameKeyAndTheSameBody() {
        receiver.on("/ops", (exchange, nth) -> Receiver.answer(exchange, nth <= 3 ? 500 : 200, "hm"));
        db.add(opened(incident), channel("ops", "/ops"));
        start(QUICK);

        db.await(incident, Status.DELIVERED);

        assertThat(db.only(incident).attempts()).isEqualTo(4);
        assertThat(receiver.at("/ops")).hasSize(4);
        assertThat(new HashSet<>(receiver.keys("/ops"))).containsExactly(incident + "-opened-0-ops");
        assertThat(receiver.at("/ops"))
                .extracting(Receiver.Received::body)
                .containsOnly(Message.of(opened(incident)).json());
    }

    @Test
    void whatNeverArrivesIsGivenUpAndCanBeReplayed() {
        receiver.on("/ops", (exchange, nth) -> Receiver.answer(exchange, nth <= 5 ? 404 : 202, "no such hook"));
        db.add(opened(incident), channel("ops", "/ops"));
        var alerting = start(QUICK);

        db.await(incident, Status.DEAD);
        var dead = db.only(incident);
        assertThat(dead.attempts()).isEqualTo(5);
        assertThat(dead.error()).isEqualTo("answered with status 404: no such hook");
        assertThat(db.outbox.dead(Long.MAX_VALUE, 10)).contains(dead);
        assertThat(alerting.backlog().dead()).isEqualTo(1);

        assertThat(alerting.replay(dead.id())).isTrue();
        db.await(incident, Status.DELIVERED);
        assertThat(alerting.replay(dead.id())).isFalse();
        assertThat(db.only(incident).attempts()).isEqualTo(1);
        assertThat(new HashSet<>(receiver.keys("/ops"))).hasSize(1);
        assertThat(alerting.backlog().dead()).isZero();
    }

    @Test
    void whatIsTooOldIsGivenUpHoweverFewAttemptsThereWere() {
        receiver.on("/ops", (exchange, nth) -> Receiver.answer(exchange, 500, ""));
        var retries = new AlertOptions.Retries(
                Duration.ofMillis(10), Duration.ofMillis(10), 1_000_000, Duration.ofMillis(300));
        db.add(opened(incident), channel("ops", "/ops"));
        start(QUICK.withRetries(retries));

        db.await(incident, Status.DEAD);
    }

    @Test
    void aWebhookThatDoesNotAnswerIsGivenUpOnAfterTheTimeout() {
        receiver.on("/ops", (exchange, nth) -> {
            if (nth == 1) {
                new CountDownLatch(1).await();
            }
            Receiver.answer(exchange, 200, "ok");
        });
        db.add(opened(incident), channel("ops", "/ops"));
        start(QUICK.withPace(Outboxes.pace(Duration.ofMillis(200), Duration.ofSeconds(60))));

        db.await(incident, Status.DELIVERED);
        assertThat(db.only(incident).attempts()).isEqualTo(2);
        assertThat(new HashSet<>(receiver.keys("/ops"))).hasSize(1);
    }

    @Test
    void aWebhookThatNeverAnswersDoesNotHoldUpAnother() {
        receiver.silence("/slow");
        String slow = channel("slow", "/slow");
        String healthy = channel("healthy", "/healthy");
        // More than there are workers, and all of them before the healthy one's.
        for (int i = 0; i < 40; i++) {
            db.add(opened(db.incident()), slow);
        }
        var alerting = start(QUICK);
        Eventually.until("the slow one is at work", () -> receiver.at("/slow").size() == 2);

        db.add(opened(incident), healthy);
        alerting.nudge();

        db.await(incident, Status.DELIVERED);
        assertThat(receiver.at("/slow")).hasSize(2);
    }

    @Test
    void alertsOfOneIncidentReachAChannelInTheirOrder() {
        receiver.on("/ops", (exchange, nth) -> Receiver.answer(exchange, nth % 3 == 0 ? 200 : 500, ""));
        String ops = channel("ops", "/ops");
        String boss = channel("boss", "/boss");
        db.add(closed(incident), ops, boss);
        db.add(reminder(incident, 10), ops, boss);
        db.add(reminder(incident, 9), ops, boss);
        db.add(opened(incident), ops, boss);
        start(QUICK);

        db.await(incident, Status.DELIVERED);

        assertThat(new ArrayList<>(new java.util.LinkedHashSet<>(receiver.keys("/ops"))))
                .containsExactly(
                        incident + "-opened-0-ops",
                        incident + "-reminder-9-ops",
                        incident + "-reminder-10-ops",
                        incident + "-closed-0-ops");
        assertThat(receiver.at("/ops")).hasSize(12);
        assertThat(receiver.keys("/boss")).hasSize(4).first().isEqualTo(incident + "-opened-0-boss");
    }

    @Test
    void aLaterAlertIsPutOffWithTheEarlierOneThatItWaitsFor() {
        receiver.on("/ops", (exchange, nth) -> Receiver.answer(exchange, 500, ""));
        String ops = channel("ops", "/ops");
        db.add(opened(incident), ops);
        db.add(closed(incident), ops);
        var patient = new AlertOptions.Retries(Duration.ofHours(1), Duration.ofHours(1), 5, Duration.ofHours(24));
        start(QUICK.withRetries(patient));
        Eventually.until(
                "the first has failed", () -> db.outbox.of(incident).getFirst().error() != null);

        var deliveries = db.outbox.of(incident);
        assertThat(db.fates(incident)).containsExactly(Status.PENDING, Status.PENDING);
        assertThat(deliveries.getLast().nextAttemptAt())
                .isEqualTo(deliveries.getFirst().nextAttemptAt());
        assertThat(receiver.at("/ops")).hasSize(1);
    }

    @Test
    void aLaterAlertGoesOnWhenTheEarlierOneIsGivenUp() {
        receiver.on("/ops", (exchange, nth) -> Receiver.answer(exchange, nth <= 5 ? 500 : 200, ""));
        String ops = channel("ops", "/ops");
        db.add(opened(incident), ops);
        db.add(closed(incident), ops);
        start(QUICK);

        Eventually.until("the second goes on", () -> db.fates(incident).equals(List.of(Status.DEAD, Status.DELIVERED)));
        assertThat(receiver.keys("/ops")).hasSize(6).last().isEqualTo(incident + "-closed-0-ops");
    }

    @Test
    void whatIsHeldIsSentOnceReleasedAndKeepsLaterOnesWaiting() {
        String ops = channel("ops", "/ops");
        db.hold(opened(incident), ops);
        db.add(reminder(incident, 0), ops);
        var other = db.incident();
        db.add(opened(other), ops);
        var alerting = start(QUICK);
        db.await(other, Status.DELIVERED);
        assertThat(db.fates(incident)).containsExactly(Status.HELD, Status.PENDING);
        assertThat(alerting.backlog().held()).isEqualTo(1);

        db.database.useTransaction(handle -> db.outbox.release(handle, incident));
        alerting.nudge();

        db.await(incident, Status.DELIVERED);
        assertThat(receiver.keys("/ops"))
                .containsExactly(other + "-opened-0-ops", incident + "-opened-0-ops", incident + "-reminder-0-ops");
    }

    @Test
    void whatIsDroppedIsNeverSentAndStaysInTheLog() {
        String ops = channel("ops", "/ops");
        db.hold(opened(incident), ops);
        db.database.useTransaction(handle -> db.outbox.drop(handle, incident));
        db.database.useTransaction(handle -> db.outbox.release(handle, incident));
        var other = db.incident();
        db.add(opened(other), ops);
        start(QUICK);

        db.await(other, Status.DELIVERED);
        assertThat(db.fates(incident)).containsExactly(Status.DROPPED);
        assertThat(receiver.keys("/ops")).containsExactly(other + "-opened-0-ops");
    }

    @Test
    void anAlertForADeletedChannelIsGivenUpAndSaysSo() {
        receiver.on("/gone", (exchange, nth) -> Receiver.answer(exchange, 500, ""));
        var patient = new AlertOptions.Retries(Duration.ofHours(1), Duration.ofHours(1), 5, Duration.ofHours(24));
        db.add(opened(incident), channel("gone", "/gone"));
        start(QUICK.withRetries(patient));
        Eventually.until("it has failed once", () -> db.only(incident).error() != null);

        assertThat(db.channels.delete("gone")).isTrue();

        db.await(incident, Status.DEAD);
        assertThat(db.only(incident).error()).isEqualTo("the channel \"gone\" was deleted");
        assertThat(db.channels.delete("gone")).isFalse();
    }

    @Test
    void twoInstancesShareTheWorkAndNeverDeliverTwice() {
        String ops = channel("ops", "/ops");
        String boss = channel("boss", "/boss");
        var one = start(QUICK);
        var two = start(QUICK);
        var all = new ArrayList<Long>();
        for (int i = 0; i < 60; i++) {
            long next = db.incident();
            all.add(next);
            db.add(opened(next), ops, boss);
            db.add(closed(next), ops, boss);
            one.nudge();
            two.nudge();
        }

        all.forEach(id -> db.await(id, Status.DELIVERED));
        assertThat(receiver.keys("/ops")).hasSize(120).doesNotHaveDuplicates();
        assertThat(receiver.keys("/boss")).hasSize(120).doesNotHaveDuplicates();
        assertThat(all)
                .allSatisfy(id -> assertThat(receiver.keys("/ops"))
                        .containsSubsequence(id + "-opened-0-ops", id + "-closed-0-ops"));
    }

    private Alerting start(AlertOptions options) {
        var alerting = db.start(options);
        running.add(alerting);
        return alerting;
    }

    private String channel(String id, String path) {
        return db.webhook(id, receiver.url(path));
    }
}
