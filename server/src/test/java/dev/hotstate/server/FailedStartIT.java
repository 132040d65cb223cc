package dev.hotstate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.server.config.Settings;
import dev.hotstate.server.http.CannotStartException;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(Testkit.class)
class FailedStartIT {
    @Test
    void aStartThatFailsAtItsLastStepLeavesNothingConnected(
            @TempDir Path folder, RedisServer redis, PostgresDatabase postgres) throws Exception {
        long before = redisClients(redis);
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var database =
                        Database.open(DatabaseOptions.of(postgres.jdbcUrl()).withApplicationName("onlooker"))) {
            var settings = Settings.load(folder, Map.of(), Map.of("--port", Integer.toString(taken.getLocalPort())));
            var servers = new HotstateServer.Servers(redis.uri(), postgres.jdbcUrl(), true);

            assertThatExceptionOfType(CannotStartException.class)
                    .isThrownBy(() -> HotstateServer.start(settings, servers))
                    .withMessageContaining("already in use");

            await(() -> redisClients(redis) <= before);
            await(() -> postgresClients(database) == 0);
        }
    }

    private static long redisClients(RedisServer redis) {
        return redis.commands().clientList().lines().count();
    }

    private static long postgresClients(Database database) {
        return database.withHandle(handle -> handle.createQuery("SELECT count(*) FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND application_name LIKE 'hotstate %'")
                .mapTo(long.class)
                .one());
    }

    private static void await(BooleanSupplier condition) {
        long giveUp = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("still not so after 30 s").isLessThan(giveUp);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        }
    }
}
