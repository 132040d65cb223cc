package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a web door counts of an application, over real HTTP. The application has {@code /things/{id}} or {@code /things/*},
 * {@code /missing}, which answers 404, and {@code /broken}, which throws.
 */
public abstract class DoorContract {
    private final HttpClient client = HttpClient.newHttpClient();
    private final RedisServer server = RedisServer.start();
    private Redis redis;
    protected Traffic traffic;

    /** @param loopback whether requests from this machine count */
    protected abstract int listen(Recorder recorder, boolean loopback) throws Exception;

    /** How the application calls the route of a thing. */
    protected abstract String thing();

    protected abstract void stop() throws Exception;

    @BeforeEach
    void start() {
        redis = Redis.connect(
                RedisOptions.of(server.uri())
                        .withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10))
                        .withConnections(1, 2),
                Keyspace.of("test:traffic", TrafficKeys.SERVICE),
                TestMeters.REGISTRY);
        traffic = Traffic.start(redis, TrafficOptions.of("web-1", InstantSource.system()), Checkpoints.none());
    }

    @AfterEach
    void end() throws Exception {
        stop();
        traffic.close();
        redis.close();
        server.close();
    }

    @Test
    void requestsCountUnderTheTemplateOfTheirRouteWithTheirStatus() throws Exception {
        int port = listen(traffic.recorder(), true);
        get(port, "/things/1");
        get(port, "/things/2");
        get(port, "/missing");
        get(port, "/broken");

        Eventually.until(
                "all four are counted",
                () -> requests().values().stream().mapToLong(Line::requests).sum() == 4);
        assertThat(requests().get("GET " + thing())).satisfies(line -> {
            assertThat(line.requests()).isEqualTo(2);
            assertThat(line.errors()).isZero();
        });
        assertThat(traffic.summary().errorsByStatus()).containsEntry(404, 1L).containsEntry(500, 1L);
        assertThat(traffic.summary().connections().current()).isZero();
    }

    @Test
    void requestsFromThisMachineAreNotCountedUnlessAskedFor() throws Exception {
        int port = listen(traffic.recorder(), false);
        assertThat(get(port, "/things/1").statusCode()).isEqualTo(200);

        traffic.flush();
        assertThat(traffic.summary().requests().total()).isZero();
    }

    protected final Map<String, Line> requests() {
        traffic.flush();
        return traffic.endpoints(Window.MINUTE).stream().collect(Collectors.toMap(Line::name, line -> line));
    }

    protected final HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .timeout(Duration.ofSeconds(30))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
