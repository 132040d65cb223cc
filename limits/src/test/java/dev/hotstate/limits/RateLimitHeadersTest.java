package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RateLimitHeadersTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Rule LOGIN = Rule.fixedWindow("login", 5, Duration.ofMinutes(1));
    private static final Rule QUICK = Rule.tokenBucket("quick", 100, Duration.ofMillis(1500), 200);

    @Test
    void anAllowedCallTellsWhatIsLeftOfEachRule() {
        var headers = RateLimitHeaders.of(new Decision.Allowed(List.of(
                verdict(LOGIN, 4, Duration.ofNanos(1), Duration.ZERO),
                verdict(QUICK, 199, Duration.ofMillis(1000), Duration.ZERO))));
        assertThat(headers)
                .containsEntry("RateLimit", "\"login\";r=4;t=1, \"quick\";r=199;t=1")
                .containsEntry("RateLimit-Policy", "\"login\";q=5;w=60, \"quick\";q=100;w=2")
                .doesNotContainKey("Retry-After");
    }

    @ParameterizedTest
    @CsvSource({"PT0.000000001S, 1", "PT1S, 1", "PT1.000001S, 2", "PT59.5S, 60"})
    void whoWaitsTheSecondsThatADenialTellsIsNotTooEarly(Duration wait, String seconds) {
        var denied = new Decision.Denied(List.of(verdict(LOGIN, 0, wait, wait)));
        assertThat(RateLimitHeaders.of(denied)).containsEntry("Retry-After", seconds);
    }

    @Test
    void aClosedRuleIsTriedAgainInASecond() {
        var closed = new Verdict(LOGIN, "s", false, 0, Duration.ZERO, Duration.ofHours(1), DecidedBy.CLOSED, false);
        assertThat(RateLimitHeaders.of(new Decision.Denied(List.of(closed)))).containsEntry("Retry-After", "1");
    }

    @Test
    void aDenialFromMemoryTellsOfTheRuleThatDenied() {
        var unasked = new Verdict(QUICK, "s", true, 200, Duration.ZERO, Duration.ZERO, DecidedBy.LOCAL, false);
        var denied = new Verdict(LOGIN, "s", false, 0, MINUTE, MINUTE, DecidedBy.LOCAL, false);
        assertThat(RateLimitHeaders.of(new Decision.Denied(List.of(unasked, denied))))
                .containsEntry("RateLimit", "\"login\";r=0;t=60");
    }

    @Test
    void aRuleInShadowIsNotTold() {
        var shadow = verdict(LOGIN.inShadow(), 0, Duration.ZERO, Duration.ZERO);
        assertThat(RateLimitHeaders.of(new Decision.Allowed(List.of(shadow)))).isEmpty();
    }

    private static Verdict verdict(Rule rule, long remaining, Duration reset, Duration retry) {
        return new Verdict(rule, "s", retry.isZero(), remaining, reset, retry, DecidedBy.REDIS, false);
    }
}
