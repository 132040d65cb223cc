package dev.hotstate.core;

import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What differs between one Redis and a cluster of them; {@link Redis} is the same over both. */
interface Deployment extends AutoCloseable {

    /** A new connection that carries many calls at a time. */
    Connection connect();

    /** The node that serves a key, by a name that stays its own while it lives. */
    String nodeOf(Key key);

    /** Every node that takes writes. */
    List<String> masters();

    /** Whether the node answers a PING on this connection. */
    boolean answers(Connection connection, String node, Duration within);

    /** Where a node is, for whoever connects by itself; empty where that takes TLS, or a Sentinel who knows it. */
    Optional<RedisURI> inTheClear(String node);

    /** Asks the nodes again who serves what. */
    void refresh();

    /** {@code INFO} of a node, by field. */
    Map<String, String> info(Connection connection, String node, String section, Duration within);

    /** The commands of one node alone, for what has no key: SCAN, DBSIZE. */
    Optional<RedisClusterAsyncCommands<String, String>> node(Connection connection, String node);

    boolean isCluster();

    @Override
    void close();

    /** A connection, whatever its kind. */
    record Connection(StatefulConnection<String, String> stateful, RedisClusterAsyncCommands<String, String> commands)
            implements AutoCloseable {
        boolean isOpen() {
            return stateful.isOpen();
        }

        @Override
        public void close() {
            stateful.closeAsync();
        }
    }
}
