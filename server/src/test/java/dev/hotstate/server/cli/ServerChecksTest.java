package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.cli.Finding.Level;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerChecksTest {
    @ParameterizedTest
    @CsvSource({"6.2.14,FAIL", "7.0.15,OK", "10.1,OK", "unknown,FAIL"})
    void redisMustBeSevenOrLater(String version, Level level) {
        assertThat(RedisChecks.version(Map.of("redis_version", version)).level())
                .isEqualTo(level);
    }

    @Test
    void valkeyIsJudgedByItsOwnVersion() {
        assertThat(RedisChecks.version(Map.of("redis_version", "7.2.4", "valkey_version", "8.1.0")))
                .isEqualTo(Finding.ok("redis", "Valkey 8.1.0 answers"));
    }

    @ParameterizedTest
    @CsvSource({"allkeys-lru,1,FAIL", "noeviction,0,WARN", "noeviction,1048576,OK"})
    void evictionMustBeOffAndMemoryBounded(String policy, String memory, Level level) {
        var info = Map.of("maxmemory_policy", policy, "maxmemory", memory, "maxmemory_human", memory);

        assertThat(RedisChecks.eviction(info).level()).isEqualTo(level);
    }

    @Test
    void aMissingAppendOnlyFileIsAWarning() {
        assertThat(RedisChecks.persistence(Map.of("aof_enabled", "0")).level()).isEqualTo(Level.WARN);
        assertThat(RedisChecks.persistence(Map.of("aof_enabled", "1")).level()).isEqualTo(Level.OK);
    }

    @Test
    void factsAreReadFromWhatInfoAnswers() {
        assertThat(RedisChecks.facts("# Server\r\nredis_version:7.0.15\r\n\r\nexecutable:/a:b\r\n"))
                .isEqualTo(Map.of("redis_version", "7.0.15", "executable", "/a:b"));
    }

    @Test
    void anOldPostgresIsRefused() {
        assertThat(PostgresChecks.version(13, "13.4").level()).isEqualTo(Level.FAIL);
        assertThat(PostgresChecks.version(18, "18.6").level()).isEqualTo(Level.OK);
    }

    @Test
    void theFirstCauseIsTheInnermostInOneLine() {
        assertThat(FirstCause.of(new IllegalStateException("outer", new IllegalStateException("inner.\nmore"))))
                .isEqualTo("inner");
        assertThat(FirstCause.of(new IllegalStateException())).isEqualTo("IllegalStateException");
    }
}
