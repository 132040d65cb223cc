package dev.hotstate.core;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A Redis Cluster. Its nodes are named by their cluster ids, which outlive a change of address. */
final class ClusterDeployment implements Deployment {
    private static final Duration CONNECT = Duration.ofSeconds(1);

    private final ClientResources resources = LettuceOptions.resources();
    private final RedisClusterClient client;
    private volatile CompletableFuture<?> refreshing = CompletableFuture.completedFuture(null);

    ClusterDeployment(RedisOptions options) {
        List<RedisURI> seeds = options.address().uris();
        seeds.forEach(seed -> seed.setTimeout(LettuceOptions.HANDSHAKE));
        this.client = RedisClusterClient.create(resources, seeds);
        client.setOptions(LettuceOptions.cluster(options));
    }

    @Override
    public Connection connect() {
        StatefulRedisClusterConnection<String, String> cluster = client.connect(Utf8.CODEC);
        Connection connection = new Connection(cluster, cluster.async());
        // Lettuce would connect to a node at the first call to it, and refuse calls until it has.
        masters().stream()
                .map(node -> reach(connection, node))
                .toList()
                .forEach(reached -> Waiting.value(reached, CONNECT));
        return connection;
    }

    @Override
    public String nodeOf(Key key) {
        RedisClusterNode node = client.getPartitions().getMasterBySlot(SlotHash.getSlot(key.tag()));
        return node == null ? "unassigned" : node.getNodeId();
    }

    @Override
    public List<String> masters() {
        return client.getPartitions().stream()
                .filter(node -> node.getRole().isUpstream() && !node.getSlots().isEmpty())
                .map(RedisClusterNode::getNodeId)
                .toList();
    }

    @Override
    public boolean answers(Connection connection, String node, Duration within) {
        return Waiting.answers(
                reach(connection, node).thenCompose(reached -> reached.async().ping()), within);
    }

    @Override
    public Optional<RedisURI> inTheClear(String node) {
        return Optional.ofNullable(client.getPartitions().getPartitionByNodeId(node))
                .map(RedisClusterNode::getUri)
                .filter(uri -> !uri.isSsl());
    }

    @Override
    public synchronized void refresh() {
        // One at a time: each opens connections to every node, and a dead node holds it up for seconds.
        if (refreshing.isDone()) {
            refreshing = client.refreshPartitionsAsync().toCompletableFuture();
        }
    }

    @Override
    public Map<String, String> info(Connection connection, String node, String section, Duration within) {
        return Waiting.info(reach(connection, node).thenCompose(c -> c.async().info(section)), within);
    }

    @Override
    public Optional<RedisClusterAsyncCommands<String, String>> node(Connection connection, String node) {
        return Waiting.value(reach(connection, node), CONNECT).map(StatefulRedisConnection::async);
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public void close() {
        Waiting.value(refreshing, CONNECT);
        client.shutdown(0, 2, TimeUnit.SECONDS);
        resources.shutdown(0, 2, TimeUnit.SECONDS);
    }

    /** By host and port, because that is the connection that calls by key take; one by node id would be another. */
    private CompletableFuture<StatefulRedisConnection<String, String>> reach(Connection connection, String node) {
        RedisClusterNode known = client.getPartitions().getPartitionByNodeId(node);
        if (known == null) {
            return CompletableFuture.failedFuture(new RedisUnavailableException("node " + node + " has left", null));
        }
        RedisURI uri = known.getUri();
        return ((StatefulRedisClusterConnection<String, String>) connection.stateful())
                .getConnectionAsync(uri.getHost(), uri.getPort());
    }
}
