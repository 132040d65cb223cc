package dev.hotstate.testkit;

import io.lettuce.core.cluster.api.sync.RedisClusterCommands;
import java.util.SortedSet;

/**
 * A Redis that a test runs against, standalone or Cluster, so that one contract test can run on both.
 *
 * <pre>{@code
 * abstract class CounterContract {
 *     final RedisTarget redis;
 *     ...tests...
 * }
 *
 * @ExtendWith(Testkit.class)
 * class CounterIT extends CounterContract {
 *     CounterIT(RedisServer redis) { super(redis); }
 * }
 *
 * @ExtendWith(Testkit.class)
 * class CounterOnClusterIT extends CounterContract {
 *     CounterOnClusterIT(RedisCluster redis) { super(redis); }
 * }
 * }</pre>
 */
public interface RedisTarget {

    /** {@code redis://host:port}, or {@code redis-cluster://host:port,host:port,…}. */
    String uri();

    /** Whether keys are spread over nodes, so that what must change together needs one hash tag. */
    boolean isCluster();

    /** A blocking connection for seeding and asserting; the same each time, and it reconnects by itself. */
    RedisClusterCommands<String, String> commands();

    /** Every key, of all masters. */
    SortedSet<String> keys();

    /** Deletes every key, on all masters. */
    void flushAll();
}
