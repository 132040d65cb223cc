package dev.hotstate.jobs.work;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.Run;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks that are HTTP requests, on the whole scheduler and a real server. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpRunnerIT {
    private final Site site;
    private final HttpRunner runner;
    private final HttpServer server;
    private final AtomicBoolean allowed = new AtomicBoolean(true);
    private final AtomicInteger asked = new AtomicInteger();
    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    HttpRunnerIT(RedisServer redis, PostgresDatabase postgres) throws IOException {
        site = new Site(redis, postgres);
        runner = new HttpRunner(address -> allowed.get());
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    }

    @BeforeAll
    void begin() {
        server.createContext("/echo", exchange -> {
            var headers = exchange.getRequestHeaders();
            seen.add(exchange.getRequestMethod() + " " + headers.getFirst("X-Hotstate-Task") + " "
                    + headers.getFirst("X-Hotstate-Attempt") + " " + headers.getFirst("Idempotency-Key") + " "
                    + headers.getFirst("X-Hotstate-Job") + " " + headers.getFirst("X-Mine"));
            answer(
                    exchange,
                    200,
                    "application/json",
                    new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        });
        server.createContext("/text", exchange -> answer(exchange, 200, "text/plain", "plain \"text\""));
        server.createContext("/large", exchange -> answer(exchange, 200, "text/plain", "x".repeat(300_000)));
        server.createContext("/missing", exchange -> answer(exchange, 404, "text/plain", "no such\npage"));
        server.createContext("/moved", exchange -> answer(exchange, 302, "text/plain", ""));
        server.createContext(
                "/busy",
                exchange -> answer(
                        exchange,
                        asked.incrementAndGet() % 3 == 0 ? 204 : 429 + 74 * (asked.get() % 2),
                        "text/plain",
                        ""));
        server.createContext("/never", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
        });
        server.start();
        site.worker(WorkerOptions.named("server")
                        .withLease(Duration.ofSeconds(1))
                        .withConcurrency(1))
                .http(runner)
                .start();
    }

    @AfterAll
    void close() throws IOException {
        site.close();
        runner.close();
        server.stop(0);
    }

    @Test
    void theInputIsSentAndTheAnswerIsTheResult() {
        String job = site.submit(
                task -> task.run(http("POST", "/echo", Map.of("X-Mine", "yes"))).input(Map.of("a", 1)));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("{\"a\":1}");
        assertThat(seen).contains("POST only 1 " + job + "/only/1 " + job + " yes");
    }

    @Test
    void aTextIsAResultToo() {
        String job = site.submit(task -> task.run(http("GET", "/text", Map.of())));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("\"plain \\\"text\\\"\"");
    }

    @Test
    void whatWillNotChangeIsNotAskedAgain() {
        assertThat(error(http("GET", "/missing", Map.of()))).isEqualTo("answered with status 404: no such page");
        assertThat(error(http("GET", "/moved", Map.of()))).isEqualTo("answered with status 302");
        assertThat(error(http("GET", "/large", Map.of()))).contains("larger than 262144 bytes");
    }

    @Test
    void whatMayPassIsAskedAgain() {
        String job = site.submit(
                task -> task.run(http("GET", "/busy", Map.of())).maxRetries(3).backoff(Duration.ofMillis(10)));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).attempt()).isEqualTo(3);
    }

    @Test
    void anAddressThatIsNotAllowedIsNotConnectedTo() {
        allowed.set(false);
        try {
            assertThat(error(http("GET", "/text", Map.of()))).contains("which tasks may not ask");
        } finally {
            allowed.set(true);
        }
    }

    @Test
    void anAnswerThatNeverEndsIsGivenUpInTime() {
        String job =
                site.submit(task -> task.run(http("GET", "/never", Map.of())).timeout(Duration.ofMillis(300)));
        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.FAILED);
        assertThat(site.only(job).error()).contains("timed out");

        String cancelled = site.submit(task -> task.run(http("GET", "/never", Map.of())));
        Eventually.until("it is asked", () -> site.only(cancelled).startedAt() != null);
        site.jobs.cancel(cancelled);
        String next = site.submit(task -> task.run(http("GET", "/text", Map.of())));
        assertThat(site.awaitEnd(next).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    private String error(Run run) {
        String job = site.submit(task -> task.run(run).maxRetries(5));
        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.FAILED);
        assertThat(site.only(job).attempt()).isEqualTo(1);
        return String.valueOf(site.only(job).error());
    }

    private Run http(String method, String path, Map<String, String> headers) {
        return new Run.Http(method, "http://localhost:" + server.getAddress().getPort() + path, headers, null);
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        byte[] bytes = body.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }
}
