package dev.hotstate.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.http.Role;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.SettableClock;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(Testkit.class)
class ExpiredTokensIT {
    private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

    private final SettableClock clock = SettableClock.at(NOON);
    private final Database database;
    private final Tokens tokens;

    ExpiredTokensIT(PostgresServer postgres) {
        database = Database.open(DatabaseOptions.of(postgres.freshDatabase().jdbcUrl()));
        database.migrate(List.of(MigrationSet.of("server")));
        tokens = Tokens.in(database, clock);
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void onlyWhatNobodyCanUseAnyMoreIsPurged() {
        var lasting = create("lasting", null);
        var brief = create("brief", NOON.plus(Duration.ofHours(1)));
        tokens.open(brief).orElseThrow();
        tokens.open(lasting).orElseThrow();

        assertThat(tokens.purgeExpired()).isZero();

        clock.advance(Duration.ofHours(1));
        assertThat(tokens.purgeExpired()).as("the brief token").isEqualTo(1);
        assertThat(tokens.list("", 10)).extracting(Token::name).containsExactly("lasting");
        assertThat(sessions()).as("the session of the lasting one").isEqualTo(1);

        clock.advance(Duration.ofHours(11));
        assertThat(tokens.purgeExpired()).as("the session, after half a day").isEqualTo(1);
        assertThat(sessions()).isZero();
        assertThat(tokens.byToken(lasting)).isPresent();
    }

    @Test
    void theNameOfAPurgedTokenIsFree() {
        create("ci", NOON.plusSeconds(1));
        clock.advance(Duration.ofSeconds(1));
        tokens.purgeExpired();

        assertThat(tokens.create(new NewToken("ci", Role.VIEWER, null))).isInstanceOf(Creation.Created.class);
    }

    private String create(String name, Instant expiresAt) {
        return ((Creation.Created) tokens.create(new NewToken(name, Role.VIEWER, expiresAt))).secret();
    }

    private int sessions() {
        return database.withHandle(handle -> handle.createQuery("SELECT count(*) FROM api_session")
                .mapTo(int.class)
                .one());
    }
}
