package dev.hotstate.server.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.HttpOptions;
import dev.hotstate.server.http.HttpServer;
import dev.hotstate.server.http.Role;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.TestServer;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.store.StoreUnavailableException;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TokensWithoutPostgresIT {
    private final PostgresServer postgres = PostgresServer.start();
    private final Database database =
            Database.open(DatabaseOptions.of(postgres.jdbcUrl()).withConnectTimeout(Duration.ofSeconds(1)));
    private final Tokens tokens = Tokens.in(database, InstantSource.system());
    private String secret;

    @BeforeEach
    void oneToken() {
        database.migrate(List.of(MigrationSet.of("server")));
        secret = ((Creation.Created) tokens.create(new NewToken("known", Role.VIEWER, null))).secret();
    }

    @AfterEach
    void close() {
        database.close();
        postgres.close();
    }

    @Test
    void aLostPostgresLocksNobodyOutAndLetsNobodyIn() {
        try (var server = new TestServer(HttpServer.start(
                HttpOptions.onLoopback(0).withTokensRequired(),
                List.of(TestServer.routes(
                        Route.get("/read", Access.VIEWER, request -> Answer.noContent()),
                        Route.get("/public", Access.PUBLIC, request -> Answer.noContent()))),
                tokens,
                HttpServer.Hooks.NONE))) {
            assertThat(server.get("/read", "Authorization", "Bearer " + secret).statusCode())
                    .isEqualTo(204);
            postgres.kill();
            var unknown = "Bearer hs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
            // For five seconds what was read last says that nobody has this token; then nobody can say.
            Eventually.until(
                    "nobody can say",
                    () -> server.get("/read", "Authorization", unknown).statusCode() == 503);
            assertThat(server.get("/read", "Authorization", "Bearer " + secret).statusCode())
                    .isEqualTo(204);
            assertThat(server.get("/public", "Authorization", unknown).statusCode())
                    .isEqualTo(204);
        }
    }

    @Test
    void whatNeedsALostPostgresSaysThatItIsUnavailable() {
        postgres.kill();

        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> tokens.list("", 10));
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> tokens.create(new NewToken("new", Role.VIEWER, null)));
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(tokens::purgeExpired);
    }
}
