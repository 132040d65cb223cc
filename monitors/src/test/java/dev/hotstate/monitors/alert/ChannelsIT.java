package dev.hotstate.monitors.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hotstate.monitors.alert.Delivery.Status;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class ChannelsIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static Outboxes db;

    @BeforeAll
    static void open(PostgresDatabase postgres) {
        db = new Outboxes(postgres.jdbcUrl());
    }

    @AfterAll
    static void close() {
        db.close();
    }

    @AfterEach
    void empty() {
        db.empty();
    }

    @Test
    void aChannelIsFoundAsItWasPut() {
        var webhook = put("ops", """
                {"type": "webhook", "url": "https://example.com/hook", "secret": "s3cret", "headers": {"X-Key": "k3y"}}""");
        var slack = put("chat", """
                {"type": "slack", "url": "https://hooks.slack.com/services/T/B/X"}""");
        var email = put("mail", """
                {"type": "email", "host": "mail.example.com", "port": 2525, "tls": "none", "user": "me",
                 "password": "pa55word", "from": "Hotstate <hot@example.com>", "to": ["ops@example.com"]}""");

        assertThat(db.channels.list()).containsExactly(slack, email, webhook);
        assertThat(db.channels.find("mail")).hasValue(email);
        assertThat(((Email) email.settings()).password()).isEqualTo(Secret.of("pa55word"));
        assertThat(db.channels.missing(List.of("ops", "nobody", "mail", "x"))).containsExactlyInAnyOrder("nobody", "x");
        assertThat(db.channels.delete("ops")).isTrue();
        assertThat(db.channels.find("ops")).isEmpty();
    }

    @Test
    void aSecretIsNeverShownInAnyForm() throws JsonProcessingException {
        var webhook = put("ops", """
                {"type": "webhook", "url": "https://example.com/hook", "secret": "s3cret", "headers": {"X-Key": "k3y"}}""");
        var slack = put("chat", """
                {"type": "slack", "url": "https://hooks.slack.com/services/T/B/X"}""");
        var email = put("mail", """
                {"type": "email", "host": "mail.example.com", "user": "me", "password": "pa55word",
                 "from": "hot@example.com", "to": ["ops@example.com"]}""");

        assertThat(JSON.readTree(JSON.writeValueAsString(webhook.shown()))).isEqualTo(JSON.readTree("""
                {"id": "ops", "type": "webhook", "url": "https://example.com/***", "secret": "***", "headers": {"X-Key": "***"}}"""));
        assertThat(JSON.readTree(JSON.writeValueAsString(slack.shown()))).isEqualTo(JSON.readTree("""
                {"id": "chat", "type": "slack", "url": "https://hooks.slack.com/***"}"""));
        assertThat(JSON.readTree(JSON.writeValueAsString(email.shown()))).isEqualTo(JSON.readTree("""
                {"id": "mail", "type": "email", "host": "mail.example.com", "port": 587, "tls": "starttls", "user": "me",
                 "password": "***", "from": "hot@example.com", "to": ["ops@example.com"]}"""));
        assertThat(List.of(webhook, slack, email))
                .allSatisfy(
                        channel -> assertThat(channel.toString() + channel.shown() + JSON.writeValueAsString(channel))
                                .doesNotContain("s3cret", "k3y", "com/hook", "services", "pa55word"));
    }

    @Test
    void aSecretThatIsNotSaidIsKeptAndNullTakesItAway() {
        put("ops", """
                {"type": "webhook", "url": "https://example.com/hook", "secret": "s3cret", "headers": {"X-Key": "k3y"}}""");

        var kept = (Webhook) put("ops", """
                {"type": "webhook", "url": "https://example.com/other", "headers": {"x-key": "***", "X-New": "new"}}""").settings();
        assertThat(kept.secret()).isEqualTo(Secret.of("s3cret"));
        assertThat(kept.headers().get("x-key")).isEqualTo(Secret.of("k3y"));
        assertThat(kept.headers().get("X-New")).isEqualTo(Secret.of("new"));

        var shownAndSentBack = (Webhook) db.channels
                .put(db.channels.find("ops").orElseThrow().shown().toChannel("ops"))
                .settings();
        assertThat(shownAndSentBack).isEqualTo(kept);

        var without = (Webhook) put("ops", """
                {"type": "webhook", "url": "https://example.com/hook", "secret": null}""").settings();
        assertThat(without.secret()).isNull();
        assertThat(without.headers()).isEmpty();
    }

    @Test
    void slackKeepsItsUrlAndMailItsPassword() {
        put("chat", "{\"type\": \"slack\", \"url\": \"https://hooks.slack.com/services/T/B/X\"}");
        assertThat(put("chat", "{\"type\": \"slack\"}").settings())
                .isEqualTo(new Slack(HookUrl.of("https://hooks.slack.com/services/T/B/X")));

        put("mail", mail("mail.example.com", ", \"user\": \"me\", \"password\": \"pa55word\""));
        assertThat(((Email) put("mail", mail("mail.example.com", ", \"user\": \"you\""))
                                .settings())
                        .password())
                .isEqualTo(Secret.of("pa55word"));
        assertThat(((Email) put("mail", mail("mail.example.com", ", \"user\": \"you\", \"password\": null"))
                                .settings())
                        .password())
                .isNull();
    }

    @Test
    void aKeptSecretDoesNotTravelToAnotherServer() {
        put("ops", """
                {"type": "webhook", "url": "https://example.com/hook", "secret": "s3cret", "headers": {"X-Key": "k3y"}}""");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put("ops", """
                        {"type": "webhook", "url": "https://evil.example/", "headers": {"X-Key": "***"}}"""))
                .withMessageStartingWith("headers must be given again");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put("ops", """
                        {"type": "webhook", "url": "http://example.com/hook", "headers": {"X-Key": "***"}}"""))
                .withMessageStartingWith("headers must be given again");

        put("mail", mail("mail.example.com", ", \"user\": \"me\", \"password\": \"pa55word\""));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put("mail", mail("evil.example", ", \"user\": \"me\"")))
                .withMessageStartingWith("password must be given again");
        assertThat(((Email) db.channels.find("mail").orElseThrow().settings()).host())
                .isEqualTo("mail.example.com");
    }

    @Test
    void whatIsShownOfAUrlStandsForTheStoredOneOfTheSameServerOnly() {
        var hook = put("ops", """
                {"type": "webhook", "url": "https://example.com:8443/T0P/s3cret?key=k3y"}""");
        var slack = put("chat", """
                {"type": "slack", "url": "https://hooks.slack.com/services/T/B/X"}""");

        assertThat(hook.shown().url()).isEqualTo("https://example.com:8443/***");
        assertThat(db.channels.put(hook.shown().toChannel("ops"))).isEqualTo(hook);
        assertThat(db.channels.put(slack.shown().toChannel("chat"))).isEqualTo(slack);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put("ops", """
                        {"type": "webhook", "url": "https://evil.example/***"}"""))
                .withMessageStartingWith("url must be written again");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put("chat", """
                        {"type": "slack", "url": "http://hooks.slack.com/***"}"""))
                .withMessageStartingWith("url must be written again");
        assertThat(db.channels.list()).containsExactly(slack, hook);
    }

    @Test
    void anotherIdThanThatOfTheChannelIsRefused() {
        var slack = put("chat", """
                {"id": "chat", "type": "slack", "url": "https://hooks.slack.com/services/T/B/X"}""");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> slack.shown().toChannel("other"))
                .withMessageStartingWith("id must be \"other\"");
    }

    @Test
    void anAlertThatWasGivenUpIsFreshForADay() {
        db.add(Outboxes.opened(1), "a");
        db.add(Outboxes.opened(2), "a");
        db.database.useHandle(handle -> {
            handle.execute("UPDATE monitors_deliveries SET status = 'dead'");
            handle.execute(
                    "UPDATE monitors_deliveries SET last_attempt_at = now() - interval '23 hours' WHERE incident = 1");
            handle.execute(
                    "UPDATE monitors_deliveries SET last_attempt_at = now() - interval '25 hours' WHERE incident = 2");
        });

        try (var alerting = db.start(Outboxes.QUICK)) {
            assertThat(alerting.backlog().dead()).isEqualTo(2);
            assertThat(alerting.backlog().deadLately()).isEqualTo(1);
        }
    }

    @Test
    void aNewChannelHasNothingToKeep() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put("chat", "{\"type\": \"slack\"}"))
                .withMessage("url is required");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put("ops", """
                        {"type": "webhook", "url": "https://example.com/***"}"""))
                .withMessageStartingWith("url must be written out");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> put("ops", """
                        {"type": "webhook", "url": "https://example.com/", "headers": {"X-Key": "***"}}"""))
                .withMessageStartingWith("headers.X-Key must be given");
        assertThat(((Webhook) put("ops", """
                {"type": "webhook", "url": "https://example.com/"}""").settings()).secret()).isNull();
        assertThat(db.channels.find("chat")).isEmpty();
    }

    @Test
    void anAlertThatWaitsIsTriedAtOnceWhenItsChannelIsMended() {
        try (var receiver = new Receiver()) {
            receiver.on("/old", (exchange, nth) -> Receiver.answer(exchange, 404, ""));
            var patient = new AlertOptions.Retries(Duration.ofHours(1), Duration.ofHours(1), 5, Duration.ofHours(24));
            long incident = db.incident();
            db.webhook("ops", receiver.url("/old"));
            try (var alerting = db.start(Outboxes.QUICK.withRetries(patient))) {
                db.add(Outboxes.opened(incident), "ops");
                alerting.nudge();
                Eventually.until("it has failed once", () -> db.only(incident).error() != null);

                db.webhook("ops", receiver.url("/new"));

                db.await(incident, Status.DELIVERED);
            }
            assertThat(receiver.keys("/new")).containsExactly(incident + "-opened-0-ops");
        }
    }

    @Test
    void theLogIsKeptForItsTimeAndWhatIsNotAtRestForEver() {
        db.add(Outboxes.opened(1), "a");
        db.hold(Outboxes.opened(2), "a");
        db.add(Outboxes.opened(3), "a");
        db.add(Outboxes.opened(4), "a");
        db.hold(Outboxes.opened(5), "a");
        db.add(Outboxes.opened(6), "a");
        db.database.useHandle(handle -> {
            handle.execute("UPDATE monitors_deliveries SET status = 'delivered' WHERE incident IN (3, 6)");
            handle.execute("UPDATE monitors_deliveries SET status = 'dead' WHERE incident = 4");
            handle.execute("UPDATE monitors_deliveries SET status = 'dropped' WHERE incident = 5");
            handle.execute("UPDATE monitors_deliveries SET created_at = '2026-01-01' WHERE incident < 6");
            handle.execute("UPDATE monitors_deliveries SET created_at = '2026-01-02', due_at = '2100-01-01'");
            handle.execute("UPDATE monitors_deliveries SET created_at = '2026-01-03' WHERE incident = 6");
        });
        var registry = new io.micrometer.core.instrument.simple.SimpleMeterRegistry();
        var later = InstantSource.fixed(java.time.Instant.parse("2026-04-02T12:00:00Z"));
        try (var alerting = Alerting.start(db.database, AlertOptions.DEFAULTS, registry, later)) {
            assertThat(alerting.purge()).isEqualTo(3);
            assertThat(alerting.purge()).isZero();
            assertThat(alerting.backlog().waiting()).isEqualTo(1);
            assertThat(alerting.backlog().oldest()).isPositive();
            Eventually.until(
                    "the meters say so too",
                    () -> registry.get("hotstate.monitors.outbox.waiting")
                                            .gauge()
                                            .value()
                                    == 1
                            && registry.get("hotstate.monitors.outbox.held")
                                            .gauge()
                                            .value()
                                    == 1);
        }
        assertThat(db.outbox.of(6)).hasSize(1);
        assertThat(db.outbox.of(3)).isEmpty();
    }

    private static Channel put(String id, String json) {
        try {
            return db.channels.put(JSON.readValue(json, ChannelDocument.class).toChannel(id));
        } catch (JsonProcessingException malformed) {
            throw new AssertionError(malformed);
        }
    }

    private static String mail(String host, String more) {
        return "{\"type\": \"email\", \"host\": \"" + host + "\", \"from\": \"hot@example.com\", \"to\":"
                + " [\"ops@example.com\"]" + more + "}";
    }
}
