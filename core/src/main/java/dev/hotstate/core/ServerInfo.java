package dev.hotstate.core;

import java.util.Map;

/** What a server says of itself, as far as it decides whether we can work with it. */
record ServerInfo(String version, String mode) {

    /** From {@code INFO server}; a user who may not ask that gets no answer, and is believed. Valkey has a server_mode. */
    static ServerInfo of(Map<String, String> info) {
        String mode = info.getOrDefault("redis_mode", info.getOrDefault("server_mode", ""));
        return new ServerInfo(info.getOrDefault("redis_version", "7"), mode);
    }

    /** @throws RedisUnavailableException saying what is wrong with it */
    void requireUsable(RedisAddress address) {
        if (Integer.parseInt(version.split("\\.", 2)[0]) < 7) {
            throw refused(address, "it is Redis " + version + "; scripts that begin with #!lua need 7.0 or later");
        }
        if (mode.equals("sentinel")) {
            throw refused(address, "it is a Sentinel; its URL is redis-sentinel://host:port#name-of-the-master");
        }
        if (mode.equals("cluster") && address.kind() != RedisAddress.Kind.CLUSTER) {
            throw refused(address, "it is a node of a Redis Cluster; its URL begins with redis-cluster://");
        }
    }

    private static RedisUnavailableException refused(RedisAddress address, String reason) {
        return new RedisUnavailableException("cannot use Redis at " + address + ": " + reason, null);
    }
}
