package dev.hotstate.example;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.SetArgs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class ExampleIT {

    @Test
    void aSessionExpires(RedisServer redis) {
        redis.commands().set("session:1", "ada", SetArgs.Builder.ex(ofMinutes(30)));

        assertThat(redis).hasOnlyKeys("session:1");
        assertThat(redis).key("session:1").hasTtlBetween(ofMinutes(29), ofMinutes(30));
    }

    @Test
    void whatALaggingReplicaMissedIsLost() {
        try (var cluster = RedisCluster.start()) {
            cluster.failOverToLaggingReplica(
                    cluster.masterOf("order:1"), () -> cluster.commands().set("order:1", "paid"));

            assertThat(cluster).key("order:1").isMissing();
        }
    }

    @Test
    void aClientComesBackAfterTheNetworkWasCut() {
        try (var redis = RedisServer.start();
                var proxy = TcpProxy.to(redis.port());
                var client = RedisClient.create("redis://127.0.0.1:" + proxy.port())) {
            var connection = client.connect().sync();
            proxy.cut();

            assertThatThrownBy(client::connect).hasMessageContaining("Unable to connect");
            proxy.restore();
            assertThat(connection.ping()).isEqualTo("PONG");
        }
    }
}
