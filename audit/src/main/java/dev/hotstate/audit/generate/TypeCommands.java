package dev.hotstate.audit.generate;

import dev.hotstate.audit.schema.Type;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The commands that a service usually needs on keys of a type; none that looks at others' keys or holds up everybody. */
public final class TypeCommands {
    /** What a client sends before and beside its calls. */
    public static final Set<String> CONNECTION = Set.of(
            "asking",
            "client|setname",
            "cluster|nodes",
            "cluster|shards",
            "cluster|slots",
            "discard",
            "exec",
            "hello",
            "multi",
            "ping",
            "readonly",
            "select",
            "unwatch",
            "watch");

    private static final List<String> ANY_TYPE = List.of(
            "del", "exists", "expire", "expireat", "persist", "pexpire", "pexpireat", "pttl", "ttl", "type", "unlink");

    private TypeCommands() {}

    public static Set<String> of(Type type) {
        Set<String> commands = new TreeSet<>(ANY_TYPE);
        commands.addAll(
                switch (type) {
                    case STRING ->
                        List.of(
                                "append",
                                "decr",
                                "decrby",
                                "get",
                                "getdel",
                                "getex",
                                "incr",
                                "incrby",
                                "incrbyfloat",
                                "mget",
                                "mset",
                                "psetex",
                                "set",
                                "setex",
                                "setnx",
                                "strlen");
                    case HASH ->
                        List.of(
                                "hdel",
                                "hexists",
                                "hget",
                                "hgetall",
                                "hincrby",
                                "hincrbyfloat",
                                "hkeys",
                                "hlen",
                                "hmget",
                                "hmset",
                                "hscan",
                                "hset",
                                "hsetnx",
                                "hvals");
                    case LIST ->
                        List.of(
                                "blmove", "blpop", "brpop", "lindex", "linsert", "llen", "lmove", "lpop", "lpush",
                                "lrange", "lrem", "lset", "ltrim", "rpop", "rpush");
                    case SET ->
                        List.of(
                                "sadd",
                                "scard",
                                "sismember",
                                "smembers",
                                "smismember",
                                "smove",
                                "spop",
                                "srandmember",
                                "srem",
                                "sscan");
                    case ZSET ->
                        List.of(
                                "geoadd",
                                "geodist",
                                "geopos",
                                "geosearch",
                                "zadd",
                                "zcard",
                                "zcount",
                                "zincrby",
                                "zmscore",
                                "zpopmax",
                                "zpopmin",
                                "zrange",
                                "zrangebyscore",
                                "zrank",
                                "zrem",
                                "zremrangebyrank",
                                "zremrangebyscore",
                                "zrevrange",
                                "zrevrank",
                                "zscan",
                                "zscore");
                    case STREAM ->
                        List.of(
                                "xack",
                                "xadd",
                                "xautoclaim",
                                "xclaim",
                                "xdel",
                                "xgroup",
                                "xinfo",
                                "xlen",
                                "xpending",
                                "xrange",
                                "xread",
                                "xreadgroup",
                                "xrevrange",
                                "xtrim");
                    case OTHER, ANY -> List.of();
                });
        return commands;
    }
}
