package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerInfoTest {
    private static final RedisAddress ADDRESS = RedisAddress.parse("redis://127.0.0.1:6379");

    @Test
    void aRedisThatDoesNotKnowOurScriptsIsRefused() {
        ServerInfo old = ServerInfo.of(Map.of("redis_version", "6.2.14", "redis_mode", "standalone"));

        assertThatThrownBy(() -> old.requireUsable(ADDRESS))
                .isInstanceOf(RedisUnavailableException.class)
                .hasMessageContaining("it is Redis 6.2.14")
                .hasMessageContaining("need 7.0 or later");
    }

    @Test
    void aSentinelIsNotTakenForARedis() {
        ServerInfo sentinel = ServerInfo.of(Map.of("redis_version", "7.0.15", "redis_mode", "sentinel"));

        assertThatThrownBy(() -> sentinel.requireUsable(ADDRESS)).hasMessageContaining("it is a Sentinel");
    }

    @Test
    void aNodeOfAClusterOfValkeyIsKnownByItsOwnWord() {
        ServerInfo valkey = ServerInfo.of(Map.of("redis_version", "7.2.4", "server_mode", "cluster"));

        assertThatThrownBy(() -> valkey.requireUsable(ADDRESS)).hasMessageContaining("redis-cluster://");
    }

    @Test
    void aServerThatMayNotBeAskedIsBelieved() {
        ServerInfo.of(Map.of()).requireUsable(ADDRESS);
        ServerInfo.of(Map.of("redis_version", "255.255.255")).requireUsable(ADDRESS);
    }
}
