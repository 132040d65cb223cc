package dev.hotstate.server;

import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import java.util.List;

class HotstateServerOnClusterIT extends HotstateServerContract {
    private final RedisCluster cluster;

    HotstateServerOnClusterIT(RedisCluster cluster) {
        this.cluster = cluster;
    }

    @Override
    List<RedisServer> nodes() {
        return cluster.nodes();
    }

    @Override
    String urlFor(String credentials) {
        return cluster.uri().replace("://", "://" + credentials);
    }

    @Override
    void flush() {
        cluster.flushAll();
    }
}
