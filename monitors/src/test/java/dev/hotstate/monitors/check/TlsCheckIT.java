package dev.hotstate.monitors.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckSpec.Tls;
import dev.hotstate.testkit.PostgresServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class TlsCheckIT {
    private static TestCertificates certificates;

    private final Checker checker = Checker.open(CheckerOptions.DEFAULTS, InstantSource.system());

    @BeforeAll
    static void make(@TempDir Path folder) throws Exception {
        certificates = TestCertificates.make(folder);
    }

    @AfterEach
    void close() {
        checker.close();
    }

    @ParameterizedTest
    @EnumSource(names = {"TLS", "HTTP"})
    void aCertificateThatHoldsIsToldWithItsDays(CheckType type) throws Exception {
        try (var server = serving("good")) {
            Outcome outcome = check(type, server, trusting(), "certificate.days_left in 28..30");
            assertThat(outcome.error()).isNull();
            assertThat(outcome.certificateDaysLeft()).isBetween(28, 30);
            assertThat(outcome.phases().tlsMs()).isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TLS", "HTTP"})
    void aCertificateThatDoesNotHoldForLongEnoughIsToldAtOnce(CheckType type) throws Exception {
        try (var server = serving("good")) {
            Outcome outcome = check(type, server, trusting(), "certificate.days_left > 60");
            assertThat(outcome.error()).matches("certificate.days_left was (28|29|30), expected > 60");
            assertThat(outcome.retryable()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TLS", "HTTP"})
    void anExpiredOneIsToldWithItsDate(CheckType type) throws Exception {
        try (var server = serving("expired")) {
            Outcome outcome = check(type, server, trusting());
            assertThat(outcome.error()).matches("the certificate expired on \\d{4}-\\d\\d-\\d\\d");
            assertThat(outcome.retryable()).isFalse();
            assertThat(outcome.certificateDaysLeft()).isNegative();
        }
    }

    @Test
    void oneThatIsNotValidYetIsTold() throws Exception {
        try (var server = serving("early")) {
            assertThat(check(CheckType.TLS, server, trusting()).error())
                    .matches("the certificate is not valid before \\d{4}-\\d\\d-\\d\\d");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TLS", "HTTP"})
    void oneForAnotherHostIsToldWithTheHostsItIsFor(CheckType type) throws Exception {
        try (var server = serving("other")) {
            Outcome outcome = check(type, server, trusting());
            assertThat(outcome.error()).isEqualTo("the certificate is not for 127.0.0.1, but for other.example");
            assertThat(outcome.retryable()).isFalse();
            assertThat(outcome.certificateDaysLeft()).isPositive();
        }
    }

    @Test
    void theNameToAskForMayBeAnother() throws Exception {
        try (var server = serving("other")) {
            var named = new Tls(true, "other.example", certificates.caPem());
            assertThat(check(CheckType.TLS, server, named).error()).isNull();
            assertThat(check(CheckType.HTTP, server, named).error()).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"TLS", "HTTP"})
    void oneOfAnUnknownIssuerIsTold(CheckType type) throws Exception {
        try (var server = serving("good");
                var self = serving("self")) {
            Outcome outcome = check(type, server, Tls.DEFAULTS);
            assertThat(outcome.error()).startsWith("the certificate is not trusted: its issuer CN=Test CA");
            assertThat(outcome.retryable()).isFalse();
            assertThat(check(type, self, trusting()).error())
                    .isEqualTo("the certificate is not trusted: it is self-signed, and CN=Self is not known here");
        }
    }

    @Test
    void nothingIsVerifiedWhereThatIsAskedForButTheDaysAreTold() throws Exception {
        try (var expired = serving("expired");
                var self = serving("self")) {
            assertThat(check(CheckType.TLS, expired, new Tls(false, null, null)).certificateDaysLeft())
                    .isNegative();
            assertThat(check(CheckType.HTTP, self, new Tls(false, null, null)).ok())
                    .isTrue();
        }
    }

    /** A handshake that resumes a session is shown no certificate. */
    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void aCertificateThatIsReplacedIsSeenByTheNextCheck(String protocol) throws Exception {
        AtomicReference<String> shown = new AtomicReference<>("good");
        SSLServerSocket door = (SSLServerSocket) certificates.door(shown::get);
        door.setEnabledProtocols(new String[] {protocol});
        try (var server = RawServer.start(door, (socket, own) -> respond(socket))) {
            assertThat(check(CheckType.HTTP, server, trusting()).error()).isNull();
            shown.set("expired");
            assertThat(check(CheckType.HTTP, server, trusting()).error()).startsWith("the certificate expired on");
        }
    }

    @Test
    void aRedisThatSpeaksTlsIsAskedUnderTheSameRules() throws Exception {
        try (var server = RawServer.start(certificates.door("good"), (socket, own) -> {
            socket.getOutputStream().write("+PONG\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        })) {
            assertThat(check(CheckType.REDIS, server, trusting()).error()).isNull();
            assertThat(check(CheckType.REDIS, server, Tls.DEFAULTS).error())
                    .startsWith("the certificate is not trusted");
        }
    }

    @Test
    void aPostgresThatSpeaksTlsIsAskedUnderTheSameRules(@TempDir Path folder) throws Exception {
        try (var server = PostgresServer.start();
                var connection = DriverManager.getConnection(server.jdbcUrl());
                var statement = connection.createStatement()) {
            Path certificate = Files.writeString(folder.resolve("server.crt"), certificates.chainPem("good"));
            Path key = Files.writeString(folder.resolve("server.key"), certificates.keyPem("good"));
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
            statement.execute("ALTER SYSTEM SET ssl_cert_file = '" + certificate + "'");
            statement.execute("ALTER SYSTEM SET ssl_key_file = '" + key + "'");
            statement.execute("ALTER SYSTEM SET ssl = on");
            server.restart();
            assertThat(postgres(server, "require", Tls.DEFAULTS).error()).isNull();
            assertThat(postgres(server, "verify-full", trusting()).error()).isNull();
            Outcome untrusted = postgres(server, "verify-full", Tls.DEFAULTS);
            assertThat(untrusted.error()).startsWith("the certificate is not trusted: its issuer CN=Test CA");
            assertThat(untrusted.retryable()).isFalse();
            assertThat(untrusted.certificateDaysLeft()).isPositive();
            assertThat(postgres(server, "verify-full", new Tls(true, "no.example", certificates.caPem()))
                            .error())
                    .isEqualTo("the certificate is not for no.example, but for localhost, 127.0.0.1");
            assertThat(postgres(server, "verify-ca", new Tls(true, "no.example", certificates.caPem()))
                            .error())
                    .isNull();
        }
    }

    private static RawServer serving(String alias) throws Exception {
        return RawServer.start(certificates.door(alias), (socket, server) -> respond(socket));
    }

    private static void respond(Socket socket) throws IOException {
        ((SSLSocket) socket).startHandshake();
        RawServer.readHead(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        out.write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    }

    private static Tls trusting() throws Exception {
        return new Tls(true, null, certificates.caPem());
    }

    private Outcome postgres(PostgresServer server, String sslmode, Tls tls) {
        return check(
                CheckType.POSTGRES,
                "postgres://postgres@127.0.0.1:" + server.port() + "/postgres?sslmode=" + sslmode,
                tls);
    }

    private Outcome check(CheckType type, RawServer server, Tls tls, String... assertions) {
        String address = "127.0.0.1:" + server.port();
        return switch (type) {
            case HTTP -> check(type, "https://" + address, tls, assertions);
            case REDIS -> check(type, "rediss://" + address, tls, assertions);
            default -> check(type, address, tls, assertions);
        };
    }

    private Outcome check(CheckType type, String target, Tls tls, String... assertions) {
        return checker.check(new CheckSpec(
                type,
                target,
                Duration.ofSeconds(30),
                Assertion.parseAll(List.of(assertions)),
                new CheckOptions("GET", Map.of(), null, null, 5, tls, "A", null)));
    }
}
