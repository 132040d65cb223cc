package dev.hotstate.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import dev.hotstate.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call that waits is told when its client leaves, and a client that stays notices nothing of that. */
class ClientsThatLeaveIT {
    private final AtomicInteger waiting = new AtomicInteger();
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
    private final Routes routes = TestServer.routes(
            Route.get("/wait", Access.VIEWER, this::await), Route.get("/now", Access.VIEWER, any -> Answer.ok("now")));
    private final TestServer server = TestServer.open(routes);

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aClientThatClosesItsConnectionIsGone() throws InterruptedException {
        try (var client = RawClient.to(server.port())) {
            client.get("/wait");
            Eventually.until("it waits", () -> waiting.get() == 1);
        }
        assertThat(ended.take()).isEqualTo("gone");
        Eventually.until("nobody waits", () -> waiting.get() == 0);
    }

    @Test
    void aClientWhoseConnectionIsResetIsGone() throws InterruptedException {
        var client = RawClient.to(server.port());
        client.get("/wait");
        Eventually.until("it waits", () -> waiting.get() == 1);
        client.reset();
        assertThat(ended.take()).isEqualTo("gone");
    }

    @Test
    void aClientThatHadEndedItsOutputBeforeItsCallWaitedIsGoneAndStillAnswered() {
        try (var client = RawClient.to(server.port())) {
            client.get("/now", "/wait", "/wait", "/now");
            client.endOutput();
            assertThat(client.answer()).isEqualTo("\"now\"");
            assertThat(client.answer()).isEqualTo("\"gone\"");
            assertThat(client.answer()).isEqualTo("\"gone\"");
            assertThat(client.answer()).isEqualTo("\"now\"");
            assertThat(client.answer()).isEmpty();
        }
    }

    @Test
    void callsThatWaitAndOthersAreAnsweredInTheirOrderOnOneConnection() {
        try (var client = RawClient.to(server.port())) {
            client.get("/wait");
            Eventually.until("it waits", () -> waiting.get() == 1);
            client.get("/now", "/wait");
            ends.add("first");
            assertThat(client.answer()).isEqualTo("\"first\"");
            assertThat(client.answer()).isEqualTo("\"now\"");
            ends.add("second");
            assertThat(client.answer()).isEqualTo("\"second\"");
            client.get("/now");
            assertThat(client.answer()).isEqualTo("\"now\"");
        }
    }

    @Test
    void aRequestThatComesInPiecesWhileAnotherWaitsIsAnswered() {
        try (var client = RawClient.to(server.port())) {
            client.get("/wait");
            Eventually.until("it waits", () -> waiting.get() == 1);
            client.send("GET /now HT");
            ends.add("first");
            assertThat(client.answer()).isEqualTo("\"first\"");
            client.send("TP/1.1\r\nHost: 127.0.0.1:" + server.port() + "\r\n\r\n");
            assertThat(client.answer()).isEqualTo("\"now\"");
        }
    }

    @Test
    void aClientThatLeavesAfterItsCallHasWaitedLeavesNoThread() {
        try (var client = RawClient.to(server.port())) {
            client.get("/wait");
            ends.add("first");
            assertThat(client.answer()).isEqualTo("\"first\"");
            assertThat(readAhead()).isEqualTo(1);
        }
        Eventually.until("nobody reads ahead", () -> readAhead() == 0);
    }

    @Test
    void aClientThatLeavesWhileItsCallWaitsLeavesNoThread() throws InterruptedException {
        try (var client = RawClient.to(server.port())) {
            client.get("/wait");
            Eventually.until("somebody reads ahead", () -> readAhead() == 1);
        }
        assertThat(ended.take()).isEqualTo("gone");
        Eventually.until("nobody reads ahead", () -> readAhead() == 0);
    }

    @Test
    void aConnectionThatIsIdleAfterACallHasWaitedDoesNotHoldUpTheEndOfTheServer() {
        var patient = new HttpOptions("127.0.0.1", 0, null, null, 1000, List.of(), false, Duration.ofMinutes(10));
        var other = HttpServer.start(patient, List.of(routes), Authenticator.none(), HttpServer.Hooks.NONE);
        try (var client = RawClient.to(other.port())) {
            client.get("/wait");
            ends.add("first");
            assertThat(client.answer()).isEqualTo("\"first\"");
            assertThat(CompletableFuture.runAsync(other::close)).succeedsWithin(Duration.ofSeconds(60));
            assertThat(client.answer()).isEmpty();
        }
        Eventually.until("nobody reads ahead", () -> readAhead() == 0);
    }

    private Answer await(Request request) throws InterruptedException {
        request.whenGone(() -> ends.add("gone"));
        waiting.incrementAndGet();
        try {
            var end = ends.take();
            ended.add(end);
            return Answer.ok(end);
        } finally {
            waiting.decrementAndGet();
        }
    }

    /** Virtual threads are seen in a dump of all threads, and nowhere else. */
    private long readAhead() {
        try {
            var dump = folder.resolve("threads-" + System.nanoTime());
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return Files.readString(dump)
                    .lines()
                    .filter(line -> line.contains("\"http-ahead\""))
                    .count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
