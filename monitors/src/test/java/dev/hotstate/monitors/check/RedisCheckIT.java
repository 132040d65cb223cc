package dev.hotstate.monitors.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisCheckIT {
    private final Checker checker = Checker.open(CheckerOptions.DEFAULTS, InstantSource.system());

    @AfterEach
    void close() {
        checker.close();
    }

    @Test
    void aRedisThatAnswersIsUpAndOneThatIsGoneIsNot() {
        try (var redis = RedisServer.start()) {
            assertThat(check(redis.uri()).error()).isNull();
            assertThat(check(redis.uri() + "/3").error()).isNull();
            redis.kill();
            assertThat(check(redis.uri()).error()).isEqualTo("connection to 127.0.0.1:" + redis.port() + " refused");
            assertThat(check(redis.uri()).retryable()).isTrue();
        }
    }

    @Test
    void aPasswordIsShownAndAWrongOneIsNotTriedAgain() {
        try (var redis = RedisServer.start("requirepass s3cret", "user watcher on >p@ss +ping +select")) {
            String address = "127.0.0.1:" + redis.port();
            assertThat(check("redis://:s3cret@" + address).error()).isNull();
            assertThat(check("redis://watcher:p%40ss@" + address + "/1").error())
                    .isNull();
            Outcome wrong = check("redis://:wrong@" + address);
            assertThat(wrong.error()).startsWith("Redis answered: WRONGPASS").doesNotContain("wrong@");
            assertThat(wrong.retryable()).isFalse();
            assertThat(check("redis://" + address).error()).startsWith("Redis answered: NOAUTH");
            assertThat(check("redis://:s3cret@" + address + "/9999").error()).startsWith("Redis answered: ERR");
        }
    }

    private Outcome check(String url) {
        return checker.check(CheckSpec.of(CheckType.REDIS, url, Duration.ofSeconds(30)));
    }
}
