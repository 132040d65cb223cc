package dev.hotstate.core;

import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;

/** A command whose key and arguments are settled; it may be sent more than once. */
@FunctionalInterface
interface Request<T> {
    RedisFuture<T> send(RedisClusterAsyncCommands<String, String> commands);

    /** Redis does not know the digest: whether the request can be sent so that it needs none. */
    default boolean sendWhole() {
        return false;
    }
}
