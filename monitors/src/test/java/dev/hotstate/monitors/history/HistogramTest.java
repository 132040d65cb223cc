package dev.hotstate.monitors.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Arrays;
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
    private static final long HOUR = 3_600_000;

    @Property
    void aPercentileIsAtMostOneSixtyFourthOffTheExactOne(
            @ForAll @Size(min = 1, max = 500) List<@LongRange(max = HOUR) Long> latencies,
            @ForAll @DoubleRange(min = 0.01, max = 100) double percent) {
        List<Long> sorted = latencies.stream().sorted().toList();
        long exact = sorted.get(Math.max(1, (int) Math.ceil(percent / 100 * sorted.size())) - 1);

        double estimate = histogram(latencies).percentile(percent);

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
        assertThat(bytes(merged)).isEqualTo(bytes(whole));
        assertThat(merged.count()).isEqualTo(some.size() + others.size());
    }

    @Property
    void theBytesAreReadBackAsTheSame(@ForAll @Size(max = 200) List<@LongRange(max = HOUR) Long> latencies) {
        Histogram histogram = histogram(latencies);

        Histogram read = Histogram.read(new Varints.Reader(bytes(histogram)));

        assertThat(bytes(read)).isEqualTo(bytes(histogram));
        assertThat(read.count()).isEqualTo(histogram.count());
    }

    @Test
    void shortTimesAreExact() {
        LongStream.range(0, 64)
                .forEach(ms -> assertThat(histogram(List.of(ms)).percentile(50)).isEqualTo(ms));
    }

    @Test
    void beyondAnHourIsAnHour() {
        assertThat(bytes(histogram(List.of(Long.MAX_VALUE)))).isEqualTo(bytes(histogram(List.of(HOUR))));
    }

    @Test
    void oneValueTakesThreeOrFourBytes() {
        assertThat(bytes(histogram(List.of(120L)))).hasSize(3);
        assertThat(bytes(histogram(List.of(5_000L)))).hasSize(4);
    }

    @Test
    void anEmptyOneHasNoPercentile() {
        assertThatIllegalStateException().isThrownBy(() -> new Histogram().percentile(50));
        assertThat(bytes(new Histogram())).containsExactly(0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, 100.1, Double.NaN})
    void aPercentIsAboveZeroAndAtMostAHundred(double percent) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> histogram(List.of(1L)).percentile(percent))
                .withMessageContaining("percent must be above 0");
    }

    @Test
    void whatIsCutOffOrOutOfRangeIsRefused() {
        byte[] cut = {1, 5};
        byte[] beyond = {1, (byte) 0xff, 0x7f, 1};
        byte[] endless = new byte[12];
        Arrays.fill(endless, (byte) 0xff);
        for (byte[] bad : List.of(cut, beyond, endless)) {
            assertThatIllegalArgumentException().isThrownBy(() -> Histogram.read(new Varints.Reader(bad)));
        }
    }

    private static Histogram histogram(List<Long> latencies) {
        Histogram histogram = new Histogram();
        latencies.forEach(histogram::add);
        return histogram;
    }

    private static byte[] bytes(Histogram histogram) {
        Varints.Writer out = new Varints.Writer();
        histogram.write(out);
        return out.bytes();
    }
}
