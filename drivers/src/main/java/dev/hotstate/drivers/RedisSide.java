package dev.hotstate.drivers;

import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import java.time.Duration;

/** All that is asked of Redis. */
record RedisSide(
        RedisFixes fixes,
        RedisTruth truth,
        RedisSweeps sweeps,
        RedisTakes takes,
        RedisSearch search,
        RedisLook look,
        RedisTombstones tombstones) {
    static RedisSide of(Redis redis, Passes passes, Duration heartbeat) {
        return new RedisSide(
                new RedisFixes(redis, passes, heartbeat),
                new RedisTruth(redis, passes, heartbeat),
                new RedisSweeps(redis, passes, heartbeat),
                new RedisTakes(redis, passes),
                new RedisSearch(redis, passes),
                new RedisLook(redis, passes),
                new RedisTombstones(redis));
    }
}
