package dev.hotstate.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.HttpOptions;
import dev.hotstate.server.http.HttpServer;
import dev.hotstate.server.http.Role;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.TestServer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class TokensWithoutPostgresIT {
    @Test
    void aLostPostgresLocksNobodyOutAndLetsNobodyIn() {
        var postgres = new Postgres();
        var tokens = Tokens.in(postgres.jdbi(), InstantSource.system());
        var secret = ((Creation.Created) tokens.create(new NewToken("known", Role.VIEWER, null))).secret();
        try (var server = new TestServer(HttpServer.start(
                HttpOptions.onLoopback(0).withTokensRequired(),
                List.of(TestServer.routes(
                        Route.get("/read", Access.VIEWER, request -> Answer.noContent()),
                        Route.get("/public", Access.PUBLIC, request -> Answer.noContent()))),
                tokens,
                HttpServer.Hooks.NONE))) {
            assertThat(server.get("/read", "Authorization", "Bearer " + secret).statusCode())
                    .isEqualTo(204);
            postgres.close();
            var unknown = "Bearer hs_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
            // For five seconds what was read last says that nobody has this token; then nobody can say.
            var deadline = Instant.now().plusSeconds(30);
            while (server.get("/read", "Authorization", unknown).statusCode() != 503) {
                assertThat(Instant.now()).isBefore(deadline);
            }
            assertThat(server.get("/read", "Authorization", "Bearer " + secret).statusCode())
                    .isEqualTo(204);
            assertThat(server.get("/public", "Authorization", unknown).statusCode())
                    .isEqualTo(204);
        }
    }
}
