package dev.hotstate.core;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** One Redis, named by its address, or the master that the Sentinels name. */
final class SingleDeployment implements Deployment {
    private final RedisURI uri;
    private final String name;
    private final ClientResources resources = LettuceOptions.resources();
    private final RedisClient client;

    SingleDeployment(RedisOptions options) {
        this.uri = options.address().uris().getFirst();
        this.uri.setTimeout(LettuceOptions.HANDSHAKE);
        this.name = options.address().toString();
        this.client = RedisClient.create(resources, uri);
        client.setOptions(LettuceOptions.standalone(options));
    }

    @Override
    public Connection connect() {
        StatefulRedisConnection<String, String> connection = client.connect(Utf8.CODEC, uri);
        return new Connection(connection, connection.async());
    }

    @Override
    public String nodeOf(Key key) {
        return name;
    }

    @Override
    public List<String> masters() {
        return List.of(name);
    }

    @Override
    public boolean answers(Connection connection, String node, Duration within) {
        // A demoted master answers PING too, but takes no writes. A user who may not ask for its role gets no answer.
        return Waiting.answers(connection.commands().ping(), within)
                && !"slave".equals(info(connection, node, "replication", within).get("role"));
    }

    @Override
    public Optional<RedisURI> inTheClear(String node) {
        return uri.isSsl() || uri.getSentinelMasterId() != null ? Optional.empty() : Optional.of(uri);
    }

    @Override
    public void refresh() {
        // A reconnect asks the Sentinels anew; one Redis has no topology.
    }

    @Override
    public Map<String, String> info(Connection connection, String node, String section, Duration within) {
        return Waiting.info(connection.commands().info(section), within);
    }

    @Override
    public Optional<RedisClusterAsyncCommands<String, String>> node(Connection connection, String node) {
        return Optional.of(connection.commands());
    }

    @Override
    public boolean isCluster() {
        return false;
    }

    @Override
    public void close() {
        client.shutdown(0, 2, TimeUnit.SECONDS);
        resources.shutdown(0, 2, TimeUnit.SECONDS);
    }
}
