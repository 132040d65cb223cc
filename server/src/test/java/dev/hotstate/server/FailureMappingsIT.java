package dev.hotstate.server;

import static dev.hotstate.server.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Authenticator;
import dev.hotstate.server.http.HttpOptions;
import dev.hotstate.server.http.HttpServer;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.TestServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What callers of a route get when what it stands on is away. */
class FailureMappingsIT {

    @Test
    void aCallThatNeedsRedisIsAnsweredWith503WhileRedisIsAway() {
        try (var server = RedisServer.start();
                var redis = Redis.connect(
                        RedisOptions.of(server.uri()),
                        Features.keyspace(Settings.defaults()),
                        new SimpleMeterRegistry());
                var http = open(Route.get("/beat", Access.PUBLIC, request -> Answer.ok(beat(redis))))) {
            assertThat(http.get("/beat").statusCode()).isEqualTo(200);
            server.kill();
            refused(http.get("/beat"), "Redis does not answer now.");

            server.restart();
            Eventually.until("it is answered again", () -> http.get("/beat").statusCode() == 200);
        }
    }

    private static void refused(HttpResponse<String> response, String detail) {
        assertThat(response.statusCode()).isEqualTo(503);
        assertThat(response.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(tree(response).get("detail").asText()).isEqualTo(detail);
    }

    private static List<String> beat(Redis redis) {
        var key = CoreKeys.INCARNATION.of(new Partition("m0"));
        return List.copyOf(
                redis.read(key, (commands, name) -> commands.hgetall(name)).keySet());
    }

    private static TestServer open(Route route) {
        var hooks = new HttpServer.Hooks(List.of(), List.of(), List.of(FailureMappings::problem));
        return new TestServer(HttpServer.start(
                HttpOptions.onLoopback(0), List.of(TestServer.routes(route)), Authenticator.none(), hooks));
    }
}
