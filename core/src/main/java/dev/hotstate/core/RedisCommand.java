package dev.hotstate.core;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;

/** A command to send, written with the commands that standalone, Sentinel and Cluster share. */
@FunctionalInterface
public interface RedisCommand<T> {

    /** @param key the whole name of the key that the call is about, prefix and all */
    RedisFuture<T> send(RedisClusterAsyncCommands<String, String> commands, String key);
}
