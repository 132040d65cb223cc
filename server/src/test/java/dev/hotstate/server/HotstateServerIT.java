package dev.hotstate.server;

import dev.hotstate.testkit.RedisServer;
import java.util.List;

class HotstateServerIT extends HotstateServerContract {
    private final RedisServer redis;

    HotstateServerIT(RedisServer redis) {
        this.redis = redis;
    }

    @Override
    List<RedisServer> nodes() {
        return List.of(redis);
    }

    @Override
    String urlFor(String credentials) {
        return redis.uri().replace("://", "://" + credentials);
    }

    @Override
    void flush() {
        redis.flushAll();
    }
}
