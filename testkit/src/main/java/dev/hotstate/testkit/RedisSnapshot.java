package dev.hotstate.testkit;

/** What a Redis held at one moment, as an RDB file; see {@link RedisServer#snapshot()}. */
public final class RedisSnapshot {
    private final byte[] rdb;

    RedisSnapshot(byte[] rdb) {
        this.rdb = rdb;
    }

    byte[] rdb() {
        return rdb;
    }
}
