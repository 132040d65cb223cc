package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DrainTest {
    @Test
    void limitAndWindowStandInLowestTerms() {
        assertThat(Drain.of(60, 60_000_000, 10)).isEqualTo(new Drain(1_000_000, 1));
        assertThat(Drain.of(1_000_000_000, 1_000_000, 1)).isEqualTo(new Drain(1, 1000));
        assertThat(Drain.of(7, 60_000_000, 10)).isEqualTo(new Drain(60_000_000, 7));
    }

    @ParameterizedTest
    @CsvSource({
        "999999937,  31622400000000, 999999937",
        "1000000000, 31622400000000, 1",
        "999999937,   1000000, 1000000000",
        "1,          31622400000000, 1",
        "1000000000, 1000, 1000000000",
        "999999937,  86399999989, 999999999",
        "12345,      31622399999999, 12345",
    })
    void aLargeBucketIsRoundedToTheStrictSideByNextToNothing(long limit, long window, long burst) {
        Drain drain = Drain.of(limit, window, burst);

        BigDecimal rate = new BigDecimal(drain.drain()).divide(new BigDecimal(drain.token()), MathContext.DECIMAL128);
        BigDecimal exact = new BigDecimal(limit).divide(new BigDecimal(window), MathContext.DECIMAL128);
        assertThat(rate).isLessThanOrEqualTo(exact);
        assertThat(rate).isGreaterThan(exact.multiply(new BigDecimal("0.99999975")));
        assertThat(Math.multiplyExact(burst, drain.token())).isLessThanOrEqualTo(1L << 52);
        assertThat(drain.drain()).isPositive();
        assertThat(new Terms(
                                Rule.tokenBucket("r", limit, Duration.ofNanos(window * 1000), burst),
                                new SimpleMeterRegistry())
                        .bucket())
                .isEqualTo(drain);
    }
}
