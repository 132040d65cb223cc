package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RateLimitHeadersTest {
    private static final Rule LOGIN = Rule.fixedWindow("login", 20, Duration.ofMinutes(1));
    private static final Rule DAY = Rule.slidingLog("day", 5, Duration.ofMillis(1500));

    @Test
    void anAllowedCallTellsWhatIsLeftOfEachRule() {
        var headers = RateLimitHeaders.of(
                new Decision.Allowed(List.of(verdict(LOGIN, true, 16, 29_001, 0), verdict(DAY, true, 0, 0, 0))));

        assertThat(headers)
                .containsEntry("RateLimit", "\"login\";r=16;t=30, \"day\";r=0;t=0")
                .containsEntry("RateLimit-Policy", "\"login\";q=20;w=60, \"day\";q=5;w=2")
                .doesNotContainKey("Retry-After");
    }

    @Test
    void aDeniedCallTellsWhenToComeBackAndNeverAtOnce() {
        assertThat(RateLimitHeaders.of(new Decision.Denied(List.of(verdict(LOGIN, false, 0, 10, 10)))))
                .containsEntry("Retry-After", "1");
        assertThat(RateLimitHeaders.of(new Decision.Denied(List.of(verdict(LOGIN, false, 0, 2_001, 2_001)))))
                .containsEntry("Retry-After", "3");
    }

    @Test
    void aRuleInShadowIsNotTold() {
        assertThat(RateLimitHeaders.of(new Decision.Allowed(List.of(verdict(LOGIN.inShadow(), true, 0, 10, 0)))))
                .isEmpty();
    }

    private static Verdict verdict(Rule rule, boolean allowed, long remaining, long resetMillis, long retryMillis) {
        return new Verdict(
                rule,
                "ann",
                allowed,
                remaining,
                Duration.ofMillis(resetMillis),
                Duration.ofMillis(retryMillis),
                DecidedBy.REDIS,
                false);
    }
}
