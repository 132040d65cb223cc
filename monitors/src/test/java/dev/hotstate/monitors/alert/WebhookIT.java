package dev.hotstate.monitors.alert;

import static dev.hotstate.monitors.alert.Outboxes.QUICK;
import static dev.hotstate.monitors.alert.Outboxes.closed;
import static dev.hotstate.monitors.alert.Outboxes.opened;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hotstate.monitors.alert.Delivery.Status;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What webhooks and Slack are told, and how their answers are taken. */
@ExtendWith(Testkit.class)
class WebhookIT {
    private static Outboxes db;
    private final Receiver receiver = new Receiver();
    private Alerting alerting = db.start(QUICK);
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
        alerting.close();
        db.empty();
    }

    @Test
    void theBodyIsWhatTheContractSays() throws IOException {
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");
        db.add(closed(incident), "ops");

        db.await(incident, Status.DELIVERED);

        var json = new ObjectMapper();
        assertThat(json.readTree(receiver.at("/ops").getFirst().body()))
                .isEqualTo(json.readTree("""
                {"event": "incident.opened", "incident_id": "%d",
                 "monitor": {"id": "web-1", "name": "Web shop", "target": "https://shop.example.com/"},
                 "failure_count": 3, "started_at": "2026-01-31T11:58:30Z",
                 "error": "status was 503, expected < 400"}""".formatted(incident)));
        var last = json.readTree(receiver.at("/ops").getLast().body());
        assertThat(last.get("event").textValue()).isEqualTo("incident.closed");
        assertThat(last.get("ended_at").textValue()).isEqualTo("2026-01-31T12:00:00Z");
        assertThat(receiver.at("/ops").getFirst().headers().getFirst("Content-Type"))
                .startsWith("application/json");
    }

    @Test
    void aMessageIsSignedWhenThereIsASecretAndCarriesTheExtraHeaders() throws Exception {
        var headers = Map.of("Authorization", Secret.of("Bearer t0ken"), "X-Team", Secret.of("blue"));
        db.channels.put(new Channel(
                "signed", new Webhook(HookUrl.of(receiver.url("/signed").toString()), Secret.of("s3cret"), headers)));
        db.webhook("plain", receiver.url("/plain"));
        db.add(opened(incident), "signed", "plain");

        db.await(incident, Status.DELIVERED);

        var got = receiver.at("/signed").getFirst();
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("s3cret".getBytes(UTF_8), "HmacSHA256"));
        assertThat(got.headers().getFirst("X-Hotstate-Signature"))
                .isEqualTo("sha256="
                        + HexFormat.of().formatHex(mac.doFinal(got.body().getBytes(UTF_8))));
        assertThat(got.headers().getFirst("Authorization")).isEqualTo("Bearer t0ken");
        assertThat(got.headers().getFirst("X-Team")).isEqualTo("blue");
        assertThat(receiver.at("/plain").getFirst().headers()).doesNotContainKey("X-hotstate-signature");
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 307, 308})
    void aRedirectIsNotFollowedAndNotADelivery(int status) {
        receiver.on("/ops", (exchange, nth) -> {
            exchange.getResponseHeaders()
                    .add("Location", receiver.url("/elsewhere").toString());
            Receiver.answer(exchange, status, "");
        });
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");

        db.await(incident, Status.DEAD);
        assertThat(db.only(incident).error()).isEqualTo("answered with status " + status);
        assertThat(receiver.at("/elsewhere")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"2", "Sat, 31 Jan 2026 12:00:02 GMT"})
    void aWaitThatTheServerAsksForIsKeptWithinOurBounds(String wait) {
        restart(QUICK.withRetries(
                new AlertOptions.Retries(Duration.ofMillis(1), Duration.ofHours(1), 5, Duration.ofHours(24))));
        receiver.on("/ops", (exchange, nth) -> {
            exchange.getResponseHeaders().add("Retry-After", wait);
            Receiver.answer(exchange, nth == 1 ? 429 : 200, "");
        });
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");
        Eventually.until("it has failed once", () -> db.only(incident).error() != null);

        var delivery = db.only(incident);
        assertThat(delivery.status()).isEqualTo(Status.PENDING);
        assertThat(Objects.requireNonNull(delivery.nextAttemptAt()))
                .isAfterOrEqualTo(
                        Objects.requireNonNull(delivery.lastAttemptAt()).plusSeconds(2));
        db.await(incident, Status.DELIVERED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999", "Fri, 31 Jan 2126 12:00:02 GMT", "soon", "-1", "99999999999999999999"})
    void anUnreasonableWaitIsNotKept(String wait) {
        receiver.on("/ops", (exchange, nth) -> {
            exchange.getResponseHeaders().add("Retry-After", wait);
            Receiver.answer(exchange, nth == 1 ? 503 : 200, "");
        });
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");

        db.await(incident, Status.DELIVERED);
        assertThat(receiver.at("/ops")).hasSize(2);
    }

    @Test
    void theStatusDecidesEvenWhenTheAnswerHasNoEnd() {
        receiver.on("/ops", (exchange, nth) -> {
            exchange.sendResponseHeaders(nth == 1 ? 500 : 200, 0);
            byte[] junk = "x".repeat(8192).getBytes(UTF_8);
            for (; ; ) {
                exchange.getResponseBody().write(junk);
            }
        });
        db.webhook("ops", receiver.url("/ops"));
        db.add(opened(incident), "ops");

        db.await(incident, Status.DELIVERED);
        assertThat(receiver.at("/ops")).hasSize(2);
    }

    @Test
    void whatIsNoHttpAtAllIsAFailureThatIsTold() throws IOException {
        try (var garbage = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> {
                while (!garbage.isClosed()) {
                    try (var socket = garbage.accept()) {
                        socket.getOutputStream().write("220 mail.example.com ESMTP\r\n".getBytes(UTF_8));
                    } catch (IOException closed) {
                        return;
                    }
                }
            });
            var result = alerting.test(webhook("http://localhost:" + garbage.getLocalPort() + "/"));
            assertThat(result.delivered()).isFalse();
            assertThat(result.error()).isNotBlank();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://169.254.169.254/latest",
                "http://[fe80::1]/",
                "http://0.0.0.0/",
                "http://[::ffff:169.254.169.254]/"
            })
    void linkLocalAndOtherStrangeAddressesAreRefused(String url) {
        var result = alerting.test(webhook(url));
        assertThat(result.delivered()).isFalse();
        assertThat(result.error()).contains("which alerts are not sent to");
    }

    @Test
    void theAddressesThatAreAllowedAreTheConfigurations() {
        var nowhere = new AlertOptions.Network(
                address -> !address.isLoopbackAddress(), QUICK.network().tls());
        restart(QUICK.withNetwork(nowhere));
        assertThat(alerting.test(webhook(receiver.url("/ops").toString())).error())
                .contains("which alerts are not sent to");
        assertThat(receiver.at("/ops")).isEmpty();
    }

    @Test
    void aNameThatIsNotKnownAndAPortThatIsClosedAreToldApart() {
        assertThat(alerting.test(webhook("http://no-such-host.invalid/")).error())
                .startsWith("the name of the host is not known");
        assertThat(alerting.test(webhook("http://localhost:1/")).error()).startsWith("cannot connect");
    }

    @Test
    void aTestIsOneRealMessageThatSaysSo() throws IOException {
        var result = alerting.test(webhook(receiver.url("/ops").toString()));

        assertThat(result.delivered()).isTrue();
        assertThat(result.error()).isNull();
        var got = receiver.at("/ops").getFirst();
        assertThat(got.key()).startsWith("test-").isEqualTo(result.idempotencyKey());
        assertThat(new ObjectMapper().readTree(got.body()).get("event").textValue())
                .isEqualTo("test");
        assertThat(alerting.backlog()).isEqualTo(Backlog.NONE);

        receiver.on("/ops", (exchange, nth) -> Receiver.answer(exchange, 418, "I am\r\na teapot"));
        var again = alerting.test(webhook(receiver.url("/ops").toString()));
        assertThat(again.delivered()).isFalse();
        assertThat(again.error()).isEqualTo("answered with status 418: I am a teapot");
        assertThat(again.idempotencyKey()).isNotEqualTo(result.idempotencyKey());
        assertThat(receiver.at("/ops")).hasSize(2);
    }

    @Test
    void anErrorNeverTellsASecretNotEvenWhenTheOtherSideSaysIt() {
        receiver.on(
                "/echo",
                (exchange, nth) -> Receiver.answer(
                        exchange,
                        400,
                        "bad token " + exchange.getRequestHeaders().getFirst("Authorization")));
        db.channels.put(new Channel(
                "echo",
                new Webhook(
                        HookUrl.of(receiver.url("/echo").toString()),
                        null,
                        Map.of("Authorization", Secret.of("Bearer t0ken")))));
        receiver.on(
                "/services/T000/B000/XXXX",
                (exchange, nth) -> Receiver.answer(
                        exchange, 404, "no " + exchange.getRequestURI().getPath()));
        slack("slack", receiver.url("/services/T000/B000/XXXX"));
        db.add(opened(incident), "echo", "slack");

        db.await(incident, Status.DEAD);
        assertThat(db.outbox.of(incident))
                .extracting(Delivery::error)
                .containsExactly("answered with status 400: bad token ***", "answered with status 404: no ***");
    }

    @Test
    void slackGetsTextThatCallsNobodyWhateverTheMonitorIsCalled() throws IOException {
        slack("slack", receiver.url("/services/T0/B0/X"));
        db.add(
                Outboxes.named(
                        "<!channel> & <https://evil.example|click>\nDOWN: everything", Alert.Kind.OPENED, 0, incident),
                "slack");

        db.await(incident, Status.DELIVERED);

        var got = receiver.at("/services/T0/B0/X").getFirst();
        String text = new ObjectMapper().readTree(got.body()).get("text").textValue();
        assertThat(text.lines().findFirst())
                .hasValue("*DOWN: &lt;!channel&gt; &amp; &lt;https://evil.example|click&gt; DOWN: everything*");
        assertThat(text).doesNotContain("<", ">").contains("Error: status was 503, expected &lt; 400");
        assertThat(got.key()).isEqualTo(incident + "-opened-0-slack");
    }

    @Test
    void strangeCharactersAndEndlessTextsDoNotStopAnAlert() {
        db.webhook("ops", receiver.url("/ops"));
        slack("slack", receiver.url("/slack"));
        String strange = "a\u0000b\uD800c\u2028d\u202Ee" + "x".repeat(100_000);
        var alert = new Alert(
                Alert.Kind.OPENED,
                0,
                incident,
                new Alert.Subject("web-1", strange, "postgres://me:hunter2@db.example.com/shop"),
                1,
                Outboxes.NOW,
                null,
                strange);
        db.add(alert, "ops", "slack");

        db.await(incident, Status.DELIVERED);

        assertThat(receiver.at("/ops").getFirst().body())
                .hasSizeLessThan(10_000)
                .doesNotContain("hunter2")
                .contains("postgres://me:***@db.example.com/shop");
        assertThat(receiver.at("/slack").getFirst().body()).hasSizeLessThan(4_000);
    }

    private void restart(AlertOptions options) {
        alerting.close();
        alerting = db.start(options);
    }

    private void slack(String id, URI url) {
        db.channels.put(new Channel(id, new Slack(HookUrl.of(url.toString()))));
    }

    private static Channel webhook(String url) {
        return new Channel("ops", new Webhook(HookUrl.of(url), null, Map.of()));
    }
}
