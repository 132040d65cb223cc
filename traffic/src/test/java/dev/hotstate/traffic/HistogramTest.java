package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.hotstate.core.BucketScale;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Percentiles within 1/64 of the exact ones, whatever was seen and however it was merged. */
class HistogramTest {
    private static final double BOUND = 1.0 / 64;
    private static final long HOUR = 3_600_000_000L;

    @Property
    void aPercentileIsAtMostOneSixtyFourthOffTheExactOne(
            @ForAll @Size(min = 1, max = 500) List<@LongRange(max = HOUR) Long> micros,
            @ForAll @DoubleRange(min = 0.01, max = 100) double percent) {
        double exact = exact(micros, percent);

        double estimate = histogram(micros).percentile(percent);

        assertThat(Math.abs(estimate - exact)).isLessThanOrEqualTo(exact * BOUND);
    }

    @Property
    void mergedHistogramsAreThatOfAllValues(
            @ForAll @Size(max = 200) List<@LongRange(max = HOUR) Long> some,
            @ForAll @Size(max = 200) List<@LongRange(max = HOUR) Long> others) {
        Histogram merged = histogram(some);
        merged.merge(histogram(others));

        Histogram whole = histogram(some);
        others.forEach(whole::add);
        assertThat(merged).hasToString(whole.toString());
        assertThat(merged.count()).isEqualTo(some.size() + others.size());
    }

    @Property
    void theTextIsReadBackAsTheSame(@ForAll @Size(max = 200) List<@LongRange(max = HOUR) Long> micros) {
        Histogram histogram = histogram(micros);

        Histogram read = Histogram.parse(histogram.toString());

        assertThat(read).hasToString(histogram.toString());
        assertThat(read.count()).isEqualTo(histogram.count());
    }

    @Property
    void bucketsFollowEachOtherWithoutAGap(@ForAll @LongRange(max = HOUR - 1) long micros) {
        int index = BucketScale.index(micros);

        assertThat(BucketScale.index(micros + 1)).isBetween(index, index + 1);
        assertThat(BucketScale.index((long) BucketScale.middle(index))).isEqualTo(index);
    }

    @Test
    void shortTimesAreExact() {
        LongStream.range(0, 64)
                .forEach(micros ->
                        assertThat(histogram(List.of(micros)).percentile(50)).isEqualTo(micros));
    }

    @Test
    void aPersonCanReadTheText() {
        assertThat(histogram(List.of(10L, 12L, 12L, 15L))).hasToString("10;1,,2,,,1");
    }

    @Test
    void beyondAnHourIsAnHour() {
        assertThat(histogram(List.of(Long.MAX_VALUE)))
                .hasToString(histogram(List.of(HOUR)).toString());
    }

    @Test
    void aClearedHistogramIsAsNew() {
        Histogram histogram = histogram(List.of(1L, 1_000_000L));
        histogram.clear();
        histogram.add(500);

        assertThat(histogram).hasToString(histogram(List.of(500L)).toString());
    }

    @Test
    void anEmptyOneHasNoPercentile() {
        assertThatIllegalStateException().isThrownBy(() -> new Histogram().percentile(50));
        assertThat(new Histogram()).hasToString("");
        assertThat(Histogram.parse("").count()).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 100.1, Double.NaN})
    void aPercentIsAboveZeroAndAtMostAHundred(double percent) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> histogram(List.of(1L)).percentile(percent))
                .withMessageContaining("percent must be above 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "x;1", "1;x", "-1;1", "886;1", "1;-1", "1;0", ";1", "1,1"})
    void whatIsNoHistogramIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Histogram.parse(text))
                .withMessageContaining("\"" + text + "\" is no histogram");
    }

    /** Nearest rank. */
    static double exact(List<Long> micros, double percent) {
        List<Long> sorted = micros.stream().sorted().toList();
        int rank = Math.max(1, (int) Math.ceil(percent / 100 * sorted.size()));
        return sorted.get(rank - 1);
    }

    private static Histogram histogram(List<Long> micros) {
        Histogram histogram = new Histogram();
        micros.forEach(histogram::add);
        return histogram;
    }
}
