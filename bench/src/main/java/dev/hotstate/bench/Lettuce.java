package dev.hotstate.bench;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.RedisTarget;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.List;

/** The peers' way to Redis: one connection of Lettuce as it comes, that all threads share. */
record Lettuce(
        AbstractRedisClient client,
        RedisClusterAsyncCommands<String, String> async,
        RedisClusterCommands<String, String> sync)
        implements AutoCloseable {

    static Lettuce connect(RedisTarget target) {
        String uri = nodes(target).getFirst().uri();
        if (target.isCluster()) {
            RedisClusterClient client = RedisClusterClient.create(uri);
            var connection = client.connect();
            return new Lettuce(client, connection.async(), connection.sync());
        }
        RedisClient client = RedisClient.create(uri);
        var connection = client.connect();
        return new Lettuce(client, connection.async(), connection.sync());
    }

    /** Every server that takes writes. */
    static List<RedisServer> nodes(RedisTarget target) {
        return target instanceof RedisCluster cluster ? cluster.masters() : List.of((RedisServer) target);
    }

    @Override
    public void close() {
        client.close();
    }
}
