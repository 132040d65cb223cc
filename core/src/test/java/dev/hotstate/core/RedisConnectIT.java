package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A Redis that cannot be used is refused with one sentence for the person who configured it. */
@ExtendWith(Testkit.class)
class RedisConnectIT {

    @Test
    void aWrongPasswordIsNamedAndNotShown() {
        try (RedisServer server = RedisServer.start("requirepass right")) {
            refused("redis://:s3cret@127.0.0.1:" + server.port(), "the user or the password is wrong");
            refused("redis://alice:s3cret@127.0.0.1:" + server.port(), "the user or the password is wrong");
            refused("redis-cluster://:s3cret@127.0.0.1:" + server.port(), "the user or the password is wrong");
            refused("redis://127.0.0.1:" + server.port(), "it asks for a password, and the URL has none for it");
        }
    }

    @Test
    void aUserOfTheAccessListMayDoWhatItMay() {
        try (RedisServer server = RedisServer.start("user alice on >s3cret ~test:core:* +@all -@dangerous")) {
            String url = "redis://alice:s3cret@127.0.0.1:" + server.port();
            try (Redis redis = Sample.connect(Sample.patient(url))) {
                assertThat(Sample.increment(redis, Sample.counter("p0", "a"))).isEqualTo(1);
                assertThatThrownBy(() ->
                                redis.write(Sample.counter("p0", "a"), (commands, key) -> commands.del("other:key")))
                        .isInstanceOf(RedisRefusedException.class)
                        .hasMessageContaining("NOPERM");
            }
        }
    }

    @Test
    void aClosedPortIsNamed() {
        refused("redis://127.0.0.1:1", "nothing listens there");
        refused("redis-cluster://127.0.0.1:1,127.0.0.1:2", "nothing listens there");
        refused("redis-sentinel://127.0.0.1:1#main", "nothing listens there");
    }

    @Test
    void anUnknownHostIsNamed() {
        refused("redis://no.such.host.invalid:6379", "there is no host of that name");
    }

    @Test
    void aPortOfSomethingElseIsNamed() throws IOException {
        try (ServerSocket web = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> answerLikeAWebServer(web));

            refused("redis://127.0.0.1:" + web.getLocalPort(), "what listens there is not a Redis");
        }
    }

    @Test
    void aRedisOfAnotherKindThanTheUrlSaysIsNamed(RedisServer server, RedisCluster cluster) {
        refused(
                "redis-cluster://127.0.0.1:" + server.port(),
                "it is not a Redis Cluster; its URL begins with redis://");
        refused(
                "redis://127.0.0.1:" + cluster.masters().getFirst().port(),
                "it is a node of a Redis Cluster; its URL begins with redis-cluster://");
    }

    private static void refused(String url, String reason) {
        RedisOptions options = Sample.patient(url);
        assertThatThrownBy(() -> Sample.connect(options).close())
                .isInstanceOf(RedisUnavailableException.class)
                .hasMessage("cannot use Redis at " + options.address() + ": " + reason)
                .hasMessageNotContaining("s3cret");
    }

    private static void answerLikeAWebServer(ServerSocket web) {
        try {
            while (true) {
                try (Socket client = web.accept()) {
                    client.getInputStream().read();
                    client.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                }
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }
}
