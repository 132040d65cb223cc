package dev.hotstate.server.chores;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.HotstateServer;
import dev.hotstate.server.auth.Creation;
import dev.hotstate.server.auth.NewToken;
import dev.hotstate.server.auth.Tokens;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.http.Role;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A server purges what has expired by itself. */
@ExtendWith(Testkit.class)
class PurgeChoreIT {
    private static final String SCHEDULE = "dev:hotstate:{s0}:chore:schedule";

    @TempDir
    private Path folder;

    private final RedisServer redis;
    private final PostgresDatabase postgres;
    private Database database;
    private Tokens tokens;

    PurgeChoreIT(RedisServer redis, PostgresDatabase postgres) {
        this.redis = redis;
        this.postgres = postgres;
    }

    @BeforeEach
    void open() {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()).withMaxConnections(2));
        database.migrate(List.of(MigrationSet.of("server")));
        tokens = Tokens.in(database, InstantSource.system());
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void expiredTokensAreDeletedAlsoWhereThatChoreIsNewToAWholeRedis() {
        createExpired("before");
        try (var server = start()) {
            assertThat(server.port()).isPositive();
            awaitNoTokens();
        }
        redis.commands().zrem(SCHEDULE, "purge-tokens");
        createExpired("after");
        try (var server = start()) {
            assertThat(server.port()).isPositive();
            awaitNoTokens();
        }
    }

    private void createExpired(String name) {
        assertThat(tokens.create(new NewToken(name, Role.VIEWER, Instant.EPOCH)))
                .isInstanceOf(Creation.Created.class);
    }

    private HotstateServer start() {
        var settings = Settings.load(folder, Map.of(), Map.of("--port", "0"));
        return HotstateServer.start(settings, new HotstateServer.Servers(redis.uri(), postgres.jdbcUrl(), true));
    }

    private void awaitNoTokens() {
        Eventually.until("the tokens are gone", () -> tokens.list("", 10).isEmpty());
    }
}
