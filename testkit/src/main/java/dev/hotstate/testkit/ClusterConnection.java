package dev.hotstate.testkit;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.sync.RedisAdvancedClusterCommands;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The cluster's own client, opened when first used. */
final class ClusterConnection implements AutoCloseable {
    private @Nullable RedisClusterClient client;
    private @Nullable StatefulRedisClusterConnection<String, String> connection;

    synchronized RedisAdvancedClusterCommands<String, String> commands(List<RedisServer> nodes) {
        if (connection == null) {
            client = client(nodes);
            connection = client.connect();
        }
        return connection.sync();
    }

    /** Looks at the cluster's shape again, after we have changed it. */
    synchronized void refresh() {
        if (client != null) {
            client.refreshPartitions();
        }
    }

    @Override
    public synchronized void close() {
        if (connection != null) {
            connection.close();
            connection = null;
        }
        if (client != null) {
            client.shutdown(0, 0, TimeUnit.SECONDS);
            client = null;
        }
    }

    private static RedisClusterClient client(List<RedisServer> nodes) {
        List<RedisURI> uris =
                nodes.stream().map(node -> RedisClients.uri(node.port(), "")).toList();
        RedisClusterClient client = RedisClusterClient.create(RedisClients.RESOURCES, uris);
        client.setOptions(ClusterClientOptions.builder()
                .topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                        .adaptiveRefreshTriggersTimeout(Duration.ofMillis(500))
                        .build())
                .build());
        return client;
    }
}
