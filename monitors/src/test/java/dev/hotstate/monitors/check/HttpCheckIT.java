package dev.hotstate.monitors.check;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hotstate.monitors.check.CheckSpec.Auth;
import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckSpec.Tls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpCheckIT {
    private final Checker checker = Checker.open(CheckerOptions.DEFAULTS, InstantSource.system());
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
    }

    @AfterEach
    void stop() {
        checker.close();
        server.stop(0);
    }

    @Test
    void aGoodAnswerIsToldWithItsStatusAndItsPhases() {
        serve("/", 200, "fine");
        Outcome outcome = check("/");
        assertThat(outcome.ok()).isTrue();
        assertThat(outcome.statusCode()).isEqualTo(200);
        assertThat(outcome.latency()).isPositive();
        assertThat(outcome.phases().connectMs()).isPositive();
        assertThat(outcome.phases().firstByteMs()).isPositive();
        assertThat(outcome.phases().tlsMs()).isNull();
        assertThat(outcome.certificateDaysLeft()).isNull();
    }

    @Test
    void aStatusFrom400OnFailsAndFrom500OnItIsWorthASecondLook() {
        serve("/missing", 404, "");
        serve("/broken", 503, "");
        assertThat(check("/missing").error()).isEqualTo("status was 404, expected < 400");
        assertThat(check("/missing").retryable()).isFalse();
        assertThat(check("/broken").error()).isEqualTo("status was 503, expected < 400");
        assertThat(check("/broken").retryable()).isTrue();
        assertThat(check("/broken").statusCode()).isEqualTo(503);
    }

    @Test
    void assertionsAreJudgedOnTheWholeAnswer() {
        serve("/json", 200, "{\"data\":{\"items\":[{\"ok\":true,\"n\":1.50}],\"name\":\"x\"}}");
        assertThat(check(
                                "/json",
                                "status == 200",
                                "latency < 30s",
                                "body contains \"items\"",
                                "body matches \"n.+1[.]5\"",
                                "json(data.items[0].ok) == true",
                                "json(data.items[0].n) == 1.5",
                                "json(data.name) in [\"x\", \"y\"]",
                                "json(data.none) == null",
                                "header(content-type) contains \"text\"",
                                "header(x-none) == null")
                        .error())
                .isNull();
    }

    @Test
    void everyAssertionThatDoesNotHoldIsTold() {
        serve("/json", 200, "{\"ok\":false,\"n\":7}");
        assertThat(check("/json", "json(ok) == true", "json(n) > 6", "json(m) == 1", "body not contains \"false\"")
                        .error())
                .isEqualTo("json(ok) was false, expected == true; json(m) was missing or null, expected == 1;"
                        + " body was \"{\"ok\":false,\"n\":7}\", expected not contains \"false\"");
    }

    @Test
    void aCertificateIsMissedWhereThereIsNone() {
        serve("/", 200, "");
        assertThat(check("/", "certificate.days_left > 14").error())
                .isEqualTo("certificate.days_left: no certificate was shown, the target does not speak TLS");
    }

    @Test
    void theRequestIsSentAsItWasDefined() {
        AtomicReference<String> seen = new AtomicReference<>();
        server.createContext("/echo", exchange -> {
            seen.set(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                    + exchange.getRequestHeaders().getFirst("X-Key") + " "
                    + exchange.getRequestHeaders().getFirst("Authorization") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            answer(exchange, 200, "");
        });
        var options = new CheckOptions(
                "PUT", Map.of("X-Key", "k"), "grün", new Auth("me", "secret", null), 5, Tls.DEFAULTS, "A", null);
        assertThat(check("/echo?a=b%20c", options).ok()).isTrue();
        assertThat(seen.get()).isEqualTo("PUT /echo?a=b%20c k Basic bWU6c2VjcmV0 grün");
    }

    @Test
    void aPackedBodyIsUnpacked() throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write("all is well".getBytes(StandardCharsets.UTF_8));
        }
        server.createContext("/gzip", exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, packed.size());
            exchange.getResponseBody().write(packed.toByteArray());
            exchange.close();
        });
        assertThat(check("/gzip", "body == \"all is well\"").error()).isNull();
    }

    @Test
    void aRedirectIsFollowed() {
        serve("/end", 200, "here");
        redirect("/start", "/end");
        assertThat(check("/start", "status == 200", "body == \"here\"").error()).isNull();
    }

    @Test
    void aRedirectThatIsNotToBeFollowedIsTheAnswer() {
        redirect("/start", "/end");
        var options = new CheckOptions("GET", Map.of(), null, null, 0, Tls.DEFAULTS, "A", null);
        assertThat(check("/start", options).statusCode()).isEqualTo(302);
        assertThat(check("/start", options).ok()).isTrue();
    }

    @Test
    void secretsStayWithTheOriginTheyAreFor() throws IOException {
        AtomicReference<String> seen = new AtomicReference<>();
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            seen.set(exchange.getRequestHeaders().getFirst("X-Key") + " "
                    + exchange.getRequestHeaders().getFirst("Authorization"));
            answer(exchange, 200, "");
        });
        other.start();
        try {
            redirect("/start", "http://127.0.0.1:" + other.getAddress().getPort() + "/");
            var options = new CheckOptions(
                    "GET", Map.of("X-Key", "k"), null, new Auth(null, null, "token"), 5, Tls.DEFAULTS, "A", null);
            assertThat(check("/start", options).ok()).isTrue();
            assertThat(seen.get()).isEqualTo("null null");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void aLoopOfRedirectsIsSeen() {
        redirect("/a", "/b");
        redirect("/b", "/a");
        Outcome outcome = check("/a");
        assertThat(outcome.error()).isEqualTo("a redirect loop: it leads back to http://127.0.0.1:" + port() + "/a");
        assertThat(outcome.retryable()).isFalse();
        assertThat(outcome.statusCode()).isEqualTo(302);
    }

    @Test
    void endlessRedirectsAreFollowedForAWhileOnly() {
        server.createContext("/deeper", exchange -> {
            exchange.getResponseHeaders().set("Location", exchange.getRequestURI() + "/x");
            answer(exchange, 301, "");
        });
        assertThat(check("/deeper").error()).startsWith("more than 5 redirects, the last to http://127.0.0.1:");
    }

    @Test
    void aRedirectToSomethingElseIsRefused() {
        redirect("/file", "file:///etc/passwd");
        assertThat(check("/file").error())
                .isEqualTo("a redirect to \"file:///etc/passwd\", which is no http or https URL");
    }

    @Test
    void aRedirectToAMetadataServiceIsRefused() {
        redirect("/steal", "http://169.254.169.254/latest/meta-data/");
        Outcome outcome = check("/steal");
        assertThat(outcome.error()).startsWith("169.254.169.254 must not be asked");
        assertThat(outcome.retryable()).isFalse();
    }

    private Outcome check(String path, String... assertions) {
        return check(path, CheckOptions.DEFAULTS, assertions);
    }

    private Outcome check(String path, CheckOptions options, String... assertions) {
        return checker.check(new CheckSpec(
                CheckType.HTTP,
                "http://127.0.0.1:" + port() + path,
                Duration.ofSeconds(20),
                Assertion.parseAll(List.of(assertions)),
                options));
    }

    private int port() {
        return server.getAddress().getPort();
    }

    private void serve(String path, int status, String body) {
        server.createContext(path, exchange -> answer(exchange, status, body));
    }

    private void redirect(String from, String to) {
        server.createContext(from, exchange -> {
            exchange.getResponseHeaders().set("Location", to);
            answer(exchange, 302, "");
        });
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
