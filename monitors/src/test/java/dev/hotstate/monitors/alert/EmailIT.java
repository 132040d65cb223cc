package dev.hotstate.monitors.alert;

import static dev.hotstate.monitors.alert.Outboxes.QUICK;
import static dev.hotstate.monitors.alert.Outboxes.opened;
import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import dev.hotstate.monitors.alert.Delivery.Status;
import dev.hotstate.monitors.alert.Email.Tls;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.Testkit;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(Testkit.class)
class EmailIT {
    private static final List<String> OPS = List.of("ops@example.com");
    private static final GreenMail MAIL = new GreenMail(new ServerSetup(0, "localhost", "smtp"));
    private static Outboxes db;
    private static SSLContext localhost;
    private static SSLContext another;
    private Alerting alerting = db.start(QUICK);
    private final long incident = db.incident();

    @BeforeAll
    static void open(PostgresDatabase postgres, @TempDir Path folder) throws Exception {
        db = new Outboxes(postgres.jdbcUrl());
        localhost = Certificates.selfSigned(folder, "localhost");
        another = Certificates.selfSigned(folder, "mail.example.com");
        MAIL.start();
        MAIL.setUser("me@example.com", "me", "pa55word");
    }

    @AfterAll
    static void close() {
        MAIL.stop();
        db.close();
    }

    @AfterEach
    void stop() throws Exception {
        alerting.close();
        db.empty();
        MAIL.purgeEmailFromAllMailboxes();
    }

    @Test
    void anAlertIsAMailWithAnIdThatIsMadeOfItsKey() throws Exception {
        put("mail", greenMail("me", "pa55word", List.of("ops@example.com", "Boss <boss@example.com>")));
        db.add(opened(incident), "mail");
        db.add(Outboxes.closed(incident), "mail");

        db.await(incident, Status.DELIVERED);

        MimeMessage[] mails = MAIL.getReceivedMessages();
        assertThat(mails).hasSize(4); // two of each
        MimeMessage mail = mails[0];
        assertThat(mail.getSubject()).isEqualTo("DOWN: Web shop");
        assertThat(mail.getMessageID()).isEqualTo("<" + incident + "-opened-0-mail.hotstate@example.com>");
        assertThat(mail.getHeader("Idempotency-Key")).containsExactly(incident + "-opened-0-mail");
        assertThat(mail.getHeader("References"))
                .containsExactly("<incident-" + incident + ".hotstate@example.com>")
                .isEqualTo(mails[3].getHeader("References"));
        assertThat(mail.getFrom()[0]).hasToString("hot@example.com");
        assertThat(mail.getSentDate()).isEqualTo(Date.from(Outboxes.NOW));
        assertThat(mail.getContent().toString())
                .contains("Error: status was 503, expected < 400", "https://shop.example.com/", "Failed checks: 3");
        assertThat(mails[3].getSubject()).isEqualTo("UP: Web shop");
        assertThat(mails[3].getContent().toString()).contains("(1 min 30 s)");
    }

    @Test
    void aMonitorsNameCannotAddHeadersOrMails() throws Exception {
        put("mail", greenMail(null, null, OPS));
        String hostile = "x\r\nBcc: everybody@example.com\r\n\r\nfree text\r\n.\r\nMAIL FROM:<a@b> äöü";
        db.add(Outboxes.named(hostile, Alert.Kind.OPENED, 0, incident), "mail");

        db.await(incident, Status.DELIVERED);

        assertThat(MAIL.getReceivedMessages()).hasSize(1);
        MimeMessage mail = MAIL.getReceivedMessages()[0];
        assertThat(mail.getHeader("Bcc")).isNull();
        assertThat(mail.getSubject()).isEqualTo("DOWN: x Bcc: everybody@example.com free text . MAIL FROM:<a@b> äöü");
    }

    @Test
    void aWrongPasswordIsToldWithoutThePassword() {
        var result = alerting.test(new Channel("mail", greenMail("me", "wr0ng-one", OPS)));
        assertThat(result.delivered()).isFalse();
        assertThat(result.error()).isNotBlank().doesNotContain("wr0ng-one");
        assertThat(MAIL.getReceivedMessages()).isEmpty();
    }

    @Test
    void aTestIsAMailThatSaysSo() throws Exception {
        var result = alerting.test(new Channel("mail", greenMail("me", "pa55word", OPS)));
        assertThat(result.error()).isNull();
        assertThat(result.delivered()).isTrue();
        assertThat(MAIL.getReceivedMessages()[0].getSubject()).isEqualTo("TEST: Test message for channel mail");
    }

    @ParameterizedTest
    @EnumSource(Tls.class)
    void mailTravelsAsItsChannelSays(Tls mode) {
        restartTrusting(localhost);
        try (var server = new SmtpServer(mode, localhost)) {
            var result = alerting.test(new Channel("mail", mail(server.port(), mode, "me", OPS)));
            assertThat(result.error()).isNull();
            assertThat(server.mails()).hasSize(1);
            assertThat(server.commandsInTheClear())
                    .noneMatch(line -> mode != Tls.NONE && (line.startsWith("AUTH") || line.startsWith("MAIL")))
                    .satisfies(lines -> assertThat(lines.isEmpty()).isEqualTo(mode == Tls.IMPLICIT));
        }
    }

    @ParameterizedTest
    @EnumSource(value = Tls.class, names = "NONE", mode = EnumSource.Mode.EXCLUDE)
    void aMailServerThatCannotProveItsNameGetsNothing(Tls mode) {
        restartTrusting(another);
        try (var server = new SmtpServer(mode, another)) {
            var result = alerting.test(new Channel("mail", mail(server.port(), mode, "me", OPS)));
            assertThat(result.delivered()).isFalse();
            assertThat(result.error()).isNotBlank();
            assertThat(server.mails()).isEmpty();
        }
        restartTrusting(another);
        try (var server = new SmtpServer(mode, localhost)) {
            assertThat(alerting.test(new Channel("mail", mail(server.port(), mode, "me", OPS)))
                            .delivered())
                    .isFalse();
            assertThat(server.mails()).isEmpty();
        }
    }

    @Test
    void aServerThatDoesNotEncryptGetsNothingThatWasToBeEncrypted() {
        try (var server = new SmtpServer(Tls.NONE, null)) {
            var result = alerting.test(new Channel("mail", mail(server.port(), Tls.STARTTLS, "me", OPS)));
            assertThat(result.error()).contains("STARTTLS");
            assertThat(server.commandsInTheClear()).noneMatch(line -> line.startsWith("AUTH"));
        }
    }

    @Test
    void oneWhoDoesNotExistDoesNotKeepTheOthersFromKnowing() {
        try (var server = new SmtpServer(Tls.NONE, null)) {
            put("mail", mail(server.port(), Tls.NONE, null, List.of("nobody@example.com", "ops@example.com")));
            db.add(opened(incident), "mail");

            db.await(incident, Status.DELIVERED);
            assertThat(server.mails()).hasSize(1).first().asString().contains("<ops@example.com>");
            assertThat(db.only(incident).error()).contains("not to nobody@example.com", "no such person");
        }
    }

    @Test
    void oneWhoMustBeTriedAgainIsTriedAgain() {
        try (var server = new SmtpServer(Tls.NONE, null)) {
            put("mail", mail(server.port(), Tls.NONE, null, List.of("later@example.com", "ops@example.com")));
            db.add(opened(incident), "mail");

            db.await(incident, Status.DEAD);
            assertThat(db.only(incident).error()).contains("try again later");
            assertThat(server.mails())
                    .hasSize(5)
                    .allSatisfy(mail -> assertThat(mail)
                            .contains("Message-ID: <" + incident + "-opened-0-mail.hotstate@example.com>"));
        }
    }

    @Test
    void aMailServerThatSaysNothingIsGivenUpOnAfterTheTimeout() throws IOException {
        alerting.close();
        alerting = db.start(QUICK.withPace(Outboxes.pace(Duration.ofMillis(300), Duration.ofSeconds(30))));
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            put("mail", mail(silent.getLocalPort(), Tls.NONE, null, OPS));
            db.add(opened(incident), "mail");
            Eventually.until("it has failed once", () -> db.only(incident).error() != null);
            assertThat(db.only(incident).error()).contains("300 ms");
        }
    }

    @Test
    void aMailServerAtARefusedAddressIsNotConnectedTo() {
        var result = alerting.test(
                new Channel("mail", new Email("169.254.169.254", 25, Tls.NONE, null, null, "a@example.com", OPS)));
        assertThat(result.error()).contains("which alerts are not sent to");
    }

    private void restartTrusting(SSLContext tls) {
        alerting.close();
        alerting = db.start(
                QUICK.withNetwork(new AlertOptions.Network(QUICK.network().allowed(), tls)));
    }

    private static void put(String id, Email settings) {
        db.channels.put(new Channel(id, settings));
    }

    private static Email greenMail(@Nullable String user, @Nullable String password, List<String> to) {
        return new Email(
                "localhost",
                MAIL.getSmtp().getPort(),
                Tls.NONE,
                user,
                password == null ? null : Secret.of(password),
                "hot@example.com",
                to);
    }

    private static Email mail(int port, Tls tls, @Nullable String user, List<String> to) {
        return new Email(
                "localhost", port, tls, user, user == null ? null : Secret.of("pa55word"), "hot@example.com", to);
    }
}
