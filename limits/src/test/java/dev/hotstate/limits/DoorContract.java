package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.testkit.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a web door does for an application, over real HTTP: two calls a minute for each user. */
public abstract class DoorContract {
    private final HttpClient client = HttpClient.newHttpClient();
    private final RedisServer server = RedisServer.start();
    private Redis redis;
    private RateLimiter limiter;
    private int port;

    protected abstract int listen(RateLimiter limiter) throws Exception;

    protected abstract void stop() throws Exception;

    /** What a request of this user spends; nobody is not limited. */
    protected final Optional<Call> callOf(String user) {
        return Optional.ofNullable(user).map(name -> Call.of(name.equals("vault") ? "vault" : "api", name));
    }

    @BeforeEach
    void start() throws Exception {
        redis = Redis.connect(
                RedisOptions.of(server.uri())
                        .withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(10))
                        .withConnections(1, 2),
                Keyspace.of("test:limits", LimitKeys.SERVICE),
                TestMeters.REGISTRY);
        var rules = RuleSource.of(
                Rule.fixedWindow("api", 2, Duration.ofMinutes(1)),
                Rule.fixedWindow("vault", 2, Duration.ofMinutes(1)).onError(OnError.CLOSED));
        limiter = new RateLimiter(redis, rules, TestMeters.REGISTRY);
        port = listen(limiter);
    }

    @AfterEach
    void end() throws Exception {
        stop();
        limiter.close();
        redis.close();
        server.close();
    }

    @Test
    void aRequestWithinItsLimitIsAnsweredAndToldWhatIsLeft() throws Exception {
        var answer = get("ann");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("hello");
        assertThat(answer.headers().firstValue("RateLimit"))
                .hasValueSatisfying(told -> assertThat(told).startsWith("\"api\";r=1;t="));
        assertThat(answer.headers().firstValue("RateLimit-Policy")).hasValue("\"api\";q=2;w=60");
    }

    @Test
    void aRequestOverItsLimitIsRefusedAndToldWhenToComeBack() throws Exception {
        get("ann");
        get("ann");
        var refused = get("ann");

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(refused.body()).contains("\"status\":429");
        assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                .isBetween(1L, 60L);
        assertThat(get("bob").statusCode()).isEqualTo(200);
    }

    @Test
    void aRequestThatSpendsNothingIsNotLimited() throws Exception {
        for (int i = 0; i < 5; i++) {
            assertThat(get(null).statusCode()).isEqualTo(200);
        }
        assertThat(get(null).headers().firstValue("RateLimit")).isEmpty();
    }

    @Test
    void withoutRedisAnOpenRuleLetsThroughAndAClosedOneDoesNot() throws Exception {
        server.close();

        assertThat(get("ann").statusCode()).isEqualTo(200);
        var refused = get("vault");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
    }

    private HttpResponse<String> get(String user) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/hello"));
        if (user != null) {
            request.header("X-User", user);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
}
