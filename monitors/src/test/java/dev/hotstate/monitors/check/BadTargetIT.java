package dev.hotstate.monitors.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Targets that mean no good: each is a clear outcome by the check's one deadline, and leaves nothing behind. */
@Timeout(60)
class BadTargetIT {
    private static final Duration SOON = Duration.ofMillis(400);
    private static final Duration PLENTY = Duration.ofSeconds(30);
    private static final String OK = "HTTP/1.1 200 OK\r\n";

    private final Checker checker = Checker.open(CheckerOptions.DEFAULTS, InstantSource.system());

    @AfterEach
    void close() {
        checker.close();
    }

    @Test
    void ofABodyOfTenGigabytesOnlyTheBeginningIsRead() {
        try (var server = RawServer.flooding(OK + "Content-Length: 10737418240\r\n\r\n", new byte[64 * 1024])) {
            assertThat(http(server, PLENTY).error()).isNull();
            assertThat(http(server, PLENTY, "body contains \"x\"").error())
                    .endsWith("expected contains \"x\" in the 1048576 characters that were read");
            assertThat(http(server, PLENTY, "json(x) == 1").error())
                    .isEqualTo("the body is too large to be read as JSON");
        }
    }

    @Test
    void aBodyThatGrowsWhenUnpackedIsCut() throws IOException {
        String head = OK + "Content-Encoding: gzip\r\n\r\n";
        try (var server = RawServer.flooding(head, gzip(new byte[10_000_000]))) {
            assertThat(http(server, PLENTY, "body contains \"x\"").error())
                    .endsWith("in the 1048576 characters that were read");
        }
    }

    @Test
    void aHeaderThatComesByteByByteEndsWithTheDeadline() {
        try (var server = RawServer.dripping(OK + "X-Slow: ", 20)) {
            Outcome outcome = http(server, SOON);
            assertThat(outcome.error())
                    .isEqualTo("timed out after 400ms while waiting for the answer of " + server.url());
            assertThat(outcome.retryable()).isTrue();
        }
    }

    @Test
    void aBodyThatComesByteByByteEndsWithTheDeadline() {
        try (var server = RawServer.dripping(OK + "\r\n", 20)) {
            assertThat(http(server, SOON, "body contains \"y\"").error())
                    .isEqualTo("timed out after 400ms while reading the body");
        }
    }

    @Test
    void manyAnswersThatAreNotFinalEndWithTheDeadline() {
        try (var server = RawServer.flooding("", "HTTP/1.1 100 Continue\r\n\r\n".getBytes())) {
            assertThat(http(server, SOON).error()).startsWith("timed out after 400ms while waiting for the answer");
        }
    }

    @Test
    void aTargetThatAcceptsAndNeverAnswersTimesOut() {
        try (var server = RawServer.silent()) {
            assertThat(http(server, SOON).error()).startsWith("timed out after 400ms while waiting for the answer");
            assertThat(check(CheckType.HTTP, server.url().replace("http:", "https:"), SOON)
                            .error())
                    .isEqualTo("timed out after 400ms while making the TLS handshake with 127.0.0.1:" + server.port());
            assertThat(check(CheckType.REDIS, "redis://127.0.0.1:" + server.port(), SOON)
                            .error())
                    .isEqualTo("timed out after 400ms while waiting for the PONG of 127.0.0.1:" + server.port());
            assertThat(check(CheckType.POSTGRES, "postgres://me@127.0.0.1:" + server.port(), SOON)
                            .error())
                    .isEqualTo("timed out after 400ms while asking the PostgreSQL at 127.0.0.1:" + server.port());
        }
    }

    @Test
    void aTargetThatHangsUpAtOnceIsTold() {
        try (var server = RawServer.start((socket, own) -> {})) {
            Outcome outcome = http(server, PLENTY);
            assertThat(outcome.error()).contains("while waiting for the answer of");
            assertThat(outcome.retryable()).isTrue();
            assertThat(check(CheckType.TLS, "127.0.0.1:" + server.port(), PLENTY)
                            .error())
                    .contains("while making the TLS handshake");
            assertThat(check(CheckType.REDIS, "redis://127.0.0.1:" + server.port(), PLENTY)
                            .error())
                    .contains("while waiting for the PONG");
            assertThat(check(CheckType.POSTGRES, "postgres://me@127.0.0.1:" + server.port(), PLENTY)
                            .error())
                    .contains("while asking the PostgreSQL");
        }
    }

    @Test
    void whatSpeaksAnotherProtocolIsTold() {
        try (var server = RawServer.greeting("SSH-2.0-OpenSSH_9.6\r\n")) {
            assertThat(http(server, PLENTY).error()).startsWith("the answer is not HTTP: ");
            assertThat(check(CheckType.TLS, "127.0.0.1:" + server.port(), PLENTY)
                            .error())
                    .contains("while making the TLS handshake");
            assertThat(check(CheckType.REDIS, "redis://127.0.0.1:" + server.port(), PLENTY)
                            .error())
                    .isEqualTo("the answer to PING was \"SSH-2.0-OpenSSH_9.6\", not PONG");
            assertThat(check(CheckType.POSTGRES, "postgres://me@127.0.0.1:" + server.port(), SOON)
                            .error())
                    .isEqualTo("timed out after 400ms while asking the PostgreSQL at 127.0.0.1:" + server.port());
        }
    }

    @Test
    void aPostgresThatAnnouncesTwoGigabytesIsRefused() {
        try (var server = RawServer.greeting("NE\u007f\u00ff\u00ff\u00ffx")) {
            assertThat(check(CheckType.POSTGRES, "postgres://me@127.0.0.1:" + server.port(), SOON)
                            .ok())
                    .isFalse();
        }
    }

    @Test
    void anEndlessHeaderAndEndlessHeadersAreRefused() {
        try (var line = RawServer.flooding(OK + "X: ", "a".repeat(1024).getBytes());
                var lines = RawServer.flooding(OK, "A: b\r\n".getBytes())) {
            assertThat(http(line, PLENTY).error()).startsWith("the answer's headers are too large");
            assertThat(http(lines, PLENTY).error()).startsWith("the answer's headers are too large");
        }
    }

    @Test
    void aBodyThatIsNotAsItsHeadersSayIsTold() {
        try (var packed = RawServer.answering(OK + "Content-Encoding: gzip\r\n\r\nplainly not");
                var empty = RawServer.answering(OK + "Content-Encoding: gzip\r\n\r\n");
                var odd = RawServer.answering(OK + "Content-Encoding: zstd\r\n\r\nxx");
                var brief = RawServer.answering(OK + "Content-Length: 100\r\n\r\nbrief");
                var chunked = RawServer.answering(OK + "Transfer-Encoding: chunked\r\n\r\nzz\r\n")) {
            assertThat(http(packed, PLENTY, "body == \"x\"").error())
                    .isEqualTo("the body is not the gzip that its header says, or breaks off");
            assertThat(http(empty, PLENTY, "body == \"x\"").error())
                    .isEqualTo("the body is not the gzip that its header says, or breaks off");
            assertThat(http(odd, PLENTY, "body == \"x\"").error())
                    .isEqualTo("the body is packed as \"zstd\", which was not asked for");
            assertThat(http(brief, PLENTY, "body == \"x\"").error()).contains("while reading the body");
            assertThat(http(chunked, PLENTY, "body == \"x\"").error()).contains("while reading the body");
        }
    }

    @Test
    void whatIsNotJsonIsToldWithItsBeginning() {
        try (var server = RawServer.answering(OK + "\r\n<html>\n\u0007sorry")) {
            assertThat(http(server, PLENTY, "json(ok) == true").error())
                    .isEqualTo("the body is not JSON: \"<html>  sorry\"");
        }
    }

    @Test
    void anExpressionThatNeverEndsIsGivenUp() {
        try (var server = RawServer.answering(OK + "\r\n" + "x".repeat(5000) + "!")) {
            assertThat(http(server, SOON, "body matches \"(x+x+)+y\"").error())
                    .isEqualTo("timed out after 400ms while matching (x+x+)+y");
        }
    }

    @Test
    void anExpressionThatIsTooDeepForATextIsTold() {
        try (var server = RawServer.answering(OK + "\r\n" + "ab".repeat(200_000))) {
            assertThat(http(server, PLENTY, "body matches \"^(a|b)*$\"").error())
                    .contains("is too deep for this text");
        }
    }

    @Test
    void nobodyListens() throws IOException {
        // A port that is taken, and on which nobody listens.
        try (var taken = new Socket()) {
            taken.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            int port = taken.getLocalPort();
            Outcome outcome = check(CheckType.TCP, "127.0.0.1:" + port, PLENTY);
            assertThat(outcome.error()).isEqualTo("connection to 127.0.0.1:" + port + " refused");
            assertThat(outcome.retryable()).isTrue();
            assertThat(check(CheckType.POSTGRES, "postgres://me@127.0.0.1:" + port, PLENTY)
                            .error())
                    .isEqualTo("connection to 127.0.0.1:" + port + " refused");
        }
    }

    @Test
    void manyBadChecksLeaveNeitherConnectionsNorThreads() throws Exception {
        try (var silent = RawServer.silent();
                var dripping = RawServer.dripping(OK + "X: ", 20);
                var flooding = RawServer.flooding(OK + "\r\n", new byte[1024])) {
            assertThat(http(silent, SOON).ok()).isFalse();
            Set<String> before = threads();
            List<Future<Outcome>> outcomes = new ArrayList<>();
            try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 100; i++) {
                    outcomes.add(callers.submit(() -> http(silent, SOON)));
                    outcomes.add(callers.submit(() -> http(dripping, SOON)));
                    outcomes.add(callers.submit(() -> http(flooding, SOON, "body contains \"x\"")));
                    outcomes.add(callers.submit(
                            () -> check(CheckType.POSTGRES, "postgres://me@127.0.0.1:" + silent.port(), SOON)));
                }
            }
            for (Future<Outcome> outcome : outcomes) {
                assertThat(outcome.get().ok()).isFalse();
            }
            Eventually.until(
                    "every connection is closed",
                    () -> silent.openConnections() + dripping.openConnections() + flooding.openConnections() == 0);
            assertThat(threads()).isSubsetOf(before);
        }
    }

    @Test
    void anInterruptedCheckEndsWithoutAnOutcome() throws Exception {
        try (var server = RawServer.silent()) {
            CompletableFuture<Throwable> end = new CompletableFuture<>();
            Thread caller = Thread.ofVirtual().start(() -> {
                try {
                    end.completeExceptionally(
                            new AssertionError(http(server, PLENTY).toString()));
                } catch (CancellationException e) {
                    end.complete(e);
                }
            });
            Eventually.until("it has connected", () -> server.openConnections() == 1);
            caller.interrupt();
            assertThat(end.get()).hasMessage("the check was broken off");
        }
    }

    @Test
    void aClosedCheckerEndsItsChecksWithoutAnOutcome() throws Exception {
        try (var server = RawServer.silent()) {
            CompletableFuture<Outcome> end = CompletableFuture.supplyAsync(() -> http(server, PLENTY));
            Eventually.until("it has connected", () -> server.openConnections() == 1);
            checker.close();
            assertThat(end).failsWithin(PLENTY).withThrowableThat().withCauseInstanceOf(CancellationException.class);
            Eventually.until("the connection is closed", () -> server.openConnections() == 0);
        }
    }

    private Outcome http(RawServer server, Duration timeout, String... assertions) {
        return check(CheckType.HTTP, server.url(), timeout, assertions);
    }

    private Outcome check(CheckType type, String target, Duration timeout, String... assertions) {
        return checker.check(
                new CheckSpec(type, target, timeout, Assertion.parseAll(List.of(assertions)), CheckOptions.DEFAULTS));
    }

    /** Without those that the JDK keeps for all virtual threads. */
    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> !name.startsWith("ForkJoinPool") && !name.startsWith("VirtualThread"))
                .collect(Collectors.toSet());
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(bytes);
        }
        return packed.toByteArray();
    }
}
