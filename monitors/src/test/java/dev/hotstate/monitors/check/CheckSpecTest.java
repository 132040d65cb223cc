package dev.hotstate.monitors.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.monitors.check.CheckSpec.Auth;
import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckSpec.Tls;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckSpecTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            HTTP     | http://Example.COM                      | example.com
            HTTP     | https://my_service:8443/a?b=c           | my_service
            HTTP     | http://[::1]:8080/                      | ::1
            HTTP     | http://bücher.example/                  | xn--bcher-kva.example
            TCP      | 10.0.0.1:22                             | 10.0.0.1
            TCP      | [fe80::1]:22                            | fe80::1
            TLS      | example.com                             | example.com
            TLS      | example.com:8443                        | example.com
            DNS      | _sip._tcp.example.com.                  | _sip._tcp.example.com.
            REDIS    | rediss://user:pass@cache:6380/2         | cache
            POSTGRES | postgres://me:pass@db/app               | db
            POSTGRES | jdbc:postgresql://db:5433/app?user=me   | db
            PUSH     | ''                                      | ''
            """)
    void whatCanBeAskedHasAHost(CheckType type, String target, String host) {
        assertThat(CheckSpec.of(type, target, TIMEOUT).host()).isEqualTo(host);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            HTTP     | ``                            | target must be an http:// or https:// URL with a host
            HTTP     | example.com                   | target must be an http:// or https:// URL with a host
            HTTP     | ftp://example.com             | target must be an http:// or https:// URL with a host
            HTTP     | http://                       | target must be an http:// or https:// URL: Expected authority at character 8
            HTTP     | http://a b/                   | target must be an http:// or https:// URL: Illegal character in authority at character 9
            HTTP     | http://me:secret@example.com  | target must not hold a password: lists show it; use auth
            HTTP     | http://example.com:99999/     | target must have a port from 1 to 65535, not "99999"
            HTTP     | http://-..x/                  | target must name a host, not "-..x"
            HTTP     | http://[1.2.3.4]/             | target must be an http:// or https:// URL: Malformed IPv6 address at character 9
            TCP      | example.com                   | target must be host:port
            TCP      | :80                           | target must be host:port
            TCP      | example.com:http              | target must have a port from 1 to 65535, not "http"
            DNS      | not a name                    | target must name a host, not "not a name"
            REDIS    | http://example.com            | target must be a redis:// or rediss:// URL with a host
            REDIS    | redis://example.com/main      | target must end with the number of a database, if with anything
            POSTGRES | postgres://db/app             | target must name a user: postgres://user:password@host/database
            POSTGRES | postgres://me@db/a?loggerFile=/x | target must not have the parameter "loggerFile", only user, password and sslmode
            POSTGRES | postgres://me@db/a?sslmode=no | target must have one of these as its sslmode: disable allow prefer require verify-ca verify-full
            PUSH     | http://example.com            | target must be empty: a push monitor asks nobody
            """)
    void whatCannotBeAskedIsRefused(CheckType type, String target, String message) {
        refuses(message, () -> CheckSpec.of(type, target, TIMEOUT));
    }

    @Test
    void aTargetIsNotEndless() {
        refuses(
                "target must be at most 2048 characters",
                () -> CheckSpec.of(CheckType.HTTP, "http://example.com/" + "x".repeat(2048), TIMEOUT));
    }

    @Test
    void noPasswordIsRepeatedInARefusal() {
        for (String target : List.of("redis://:hunter2@a b", "redis://:hunter2@a:0", "redis://:hunter2@a/x")) {
            assertThatThrownBy(() -> CheckSpec.of(CheckType.REDIS, target, TIMEOUT))
                    .hasMessageStartingWith("target ")
                    .hasMessageNotContaining("hunter2");
        }
    }

    @Test
    void aTimeoutIsFrom100MillisecondsTo5Minutes() {
        CheckSpec.of(CheckType.TCP, "a:1", Duration.ofMillis(100));
        CheckSpec.of(CheckType.TCP, "a:1", Duration.ofMinutes(5));
        refuses(
                "timeout must be from 100ms to 5m, not 99ms",
                () -> CheckSpec.of(CheckType.TCP, "a:1", Duration.ofMillis(99)));
        refuses(
                "timeout must be from 100ms to 5m, not 1h",
                () -> CheckSpec.of(CheckType.TCP, "a:1", Duration.ofHours(1)));
    }

    @Test
    void aSubjectThatTheTypeDoesNotHaveIsRefused() {
        refuses(
                "assertions[1]: a check of type http knows no dns.answers",
                () -> asserting(CheckType.HTTP, "http://a", "status == 200", "dns.answers != []"));
        refuses(
                "assertions[0]: a check of type tcp knows no status",
                () -> asserting(CheckType.TCP, "a:1", "status == 200"));
        refuses(
                "assertions[0]: a check of type push knows no latency",
                () -> asserting(CheckType.PUSH, "", "latency < 1s"));
        asserting(CheckType.TLS, "a", "certificate.days_left > 14", "latency < 1s");
    }

    @Test
    void thereAreAtMost32Assertions() {
        List<Assertion> many = Collections.nCopies(33, Assertion.parse("status == 200"));
        refuses(
                "assertions must be at most 32, not 33",
                () -> new CheckSpec(CheckType.HTTP, "http://a", TIMEOUT, many, CheckOptions.DEFAULTS));
    }

    @Test
    void optionsAreCheckedByThemselves() {
        refuses("method must be a token such as GET, not \"G T\"", () -> options("G T", Map.of(), null, 5, "A", null));
        refuses("body must be at most 65536 bytes", () -> options("PUT", Map.of(), "ä".repeat(40_000), 5, "A", null));
        refuses("redirects must be from 0 to 20, not 21", () -> options("GET", Map.of(), null, 21, "A", null));
        refuses(
                "record_type must be one of A AAAA CNAME MX TXT NS SOA SRV CAA PTR, not \"AXFR\"",
                () -> options("GET", Map.of(), null, 5, "axfr", null));
        refuses(
                "resolver must be host or host:port, not \"a:b:c\"",
                () -> options("GET", Map.of(), null, 5, "A", "a:b:c"));
        assertThat(options("GET", Map.of(), null, 5, "mx", "dns.example").recordType())
                .isEqualTo("MX");
    }

    @Test
    void headersCannotBreakTheRequest() {
        refuses(
                "headers.X must be one line of at most 8192 characters of Latin text",
                () -> options("GET", Map.of("X", "a\r\nY: b"), null, 5, "A", null));
        refuses(
                "headers must not hold \"Content-Length\": it is no name, or set by us",
                () -> options("GET", Map.of("Content-Length", "5"), null, 5, "A", null));
        refuses(
                "headers must not hold \"a b\": it is no name, or set by us",
                () -> options("GET", Map.of("a b", "5"), null, 5, "A", null));
        Map<String, String> many =
                IntStream.range(0, 51).boxed().collect(Collectors.toMap(i -> "X-" + i, String::valueOf));
        refuses("headers must be at most 50, not 51", () -> options("GET", many, null, 5, "A", null));
    }

    @Test
    void authIsOneOfTwoKindsAndDoesNotShowItsSecret() {
        refuses("auth must be a username and a password, or a bearer token", () -> new Auth("me", null, null));
        refuses("auth must be a username and a password, or a bearer token", () -> new Auth("me", "pass", "token"));
        refuses("auth.bearer must be one line of text", () -> new Auth(null, null, "a\nb"));
        assertThat(new Auth("me", "hunter2", null).toString()).isEqualTo("Auth[username=me]");
        assertThat(new Auth(null, null, "hunter2").toString()).isEqualTo("Auth[bearer]");
    }

    @Test
    void tlsOptionsAreCheckedByThemselves() {
        refuses(
                "tls.ca must be one or more certificates as PEM, at most 65536 characters",
                () -> new Tls(true, null, "no certificate"));
        refuses("tls.server_name must be a host, not \"a b\"", () -> new Tls(true, "a b", null));
    }

    private static CheckSpec asserting(CheckType type, String target, String... assertions) {
        return new CheckSpec(type, target, TIMEOUT, Assertion.parseAll(List.of(assertions)), CheckOptions.DEFAULTS);
    }

    private static CheckOptions options(
            String method, Map<String, String> headers, String body, int redirects, String type, String resolver) {
        return new CheckOptions(method, headers, body, null, redirects, Tls.DEFAULTS, type, resolver);
    }

    private static void refuses(String message, ThrowingCallable made) {
        assertThatThrownBy(made).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
    }
}
