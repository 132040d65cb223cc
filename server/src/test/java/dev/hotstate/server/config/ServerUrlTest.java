package dev.hotstate.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerUrlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://h",
                "redis://h:6379/0",
                "rediss://user:p%40ss@h:6380",
                "redis://:p@ss@h",
                "redis-cluster://h1:1,h2:2",
                "rediss-cluster://u:p@h1:1,h2:2",
                "redis-sentinel://p@h1:1,h2:2/3#mymaster",
                "redis://[::1]:6379",
            })
    void everyFormOfARedisUrlIsAccepted(String text) {
        assertThat(ServerUrl.redis(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "h:6379",
                "http://h",
                "redis:h",
                "redis://",
                "redis://h:port",
                "redis://h1,",
                "redis://u:a/b@h",
                "redis://u:a#b@h",
                "redis-sentinel://h:1",
                "redis://a b",
                "redis://h?loose",
            })
    void anythingElseIsNoRedisUrlAndIsNotRepeated(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ServerUrl.redis(text))
                .withMessage("not a URL of the accepted form");
    }

    @ParameterizedTest
    @CsvSource({
        "postgresql://h/db, jdbc:postgresql://h/db",
        "postgres://h:5/db?sslmode=require, jdbc:postgresql://h:5/db?sslmode=require",
        "jdbc:postgresql://h/db?user=a&password=b, jdbc:postgresql://h/db?user=a&password=b",
        "postgresql://a:b@h/db, jdbc:postgresql://h/db?user=a&password=b",
        "postgresql://a@h/db?x=y, jdbc:postgresql://h/db?x=y&user=a",
        "postgresql://a:b%26+c@h/db, jdbc:postgresql://h/db?user=a&password=b%26%2Bc",
        "'postgresql://a:b@h1:1,h2:2/db', 'jdbc:postgresql://h1:1,h2:2/db?user=a&password=b'",
    })
    void aPostgresUrlBecomesAJdbcUrl(String text, String jdbc) {
        assertThat(ServerUrl.postgres(text).text()).isEqualTo(jdbc);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"h/db", "mysql://h/db", "postgresql://h", "postgresql://h/", "postgresql:db", "redis://h/1"})
    void anythingElseIsNoPostgresUrl(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> ServerUrl.postgres(text));
    }

    @ParameterizedTest
    @CsvSource({
        "redis://u:hush@h:1/2, redis://***@h:1/2",
        "redis://:hu@sh@h, redis://***@h",
        "redis://h:1, redis://h:1",
        "redis-sentinel://hush@h:1#mine, redis-sentinel://***@h:1#mine",
        "redis://h?password=hush, redis://h",
    })
    void theMaskedFormHidesUserPasswordAndOptions(String text, String masked) {
        assertThat(ServerUrl.redis(text)).hasToString(masked);
    }

    @Test
    void theMaskedFormOfAPostgresUrlHidesItsPassword() {
        assertThat(ServerUrl.postgres("postgresql://u:hush@h/db")).hasToString("jdbc:postgresql://h/db");
    }

    @Test
    void nothingIsTheEmbeddedServer() {
        assertThat(ServerUrl.redis("")).isEqualTo(ServerUrl.NONE);
        assertThat(ServerUrl.postgres("").isGiven()).isFalse();
        assertThat(ServerUrl.NONE).hasToString("");
    }
}
