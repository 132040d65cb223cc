package dev.hotstate.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import org.junit.jupiter.api.Test;

/** The bound that {@link TallyDenials} promises, whoever comes in whatever order. */
class TallyDenialsTest {
    @Property(tries = 50)
    void nobodyIsCountedTooOftenOrMissesMoreThanAFiveHundredth(@ForAll("crowds") List<Integer> crowd) {
        TallyDenials denials = new TallyDenials();
        Map<CounterId, Long> truth = new HashMap<>();
        crowd.forEach(number -> {
            denials.note(subject(number));
            truth.merge(subject(number), 1L, Long::sum);
        });

        Map<CounterId, Long> counted = denials.counts();
        assertThat(counted).hasSizeLessThanOrEqualTo(TallyDenials.MOST);
        assertThat(truth)
                .allSatisfy((subject, times) ->
                        assertThat(counted.getOrDefault(subject, 0L)).isBetween(times - crowd.size() / 500, times));
    }

    @Test
    void whoComesAfterACrowdIsCountedToo() {
        TallyDenials denials = new TallyDenials();
        for (int i = 0; i < 100_000; i++) {
            denials.note(subject(i));
        }
        for (int i = 0; i < 1_000; i++) {
            denials.note(subject(-1));
        }

        assertThat(denials.counts()).containsEntry(subject(-1), 1_000L).hasSizeLessThanOrEqualTo(TallyDenials.MOST);
    }

    @Test
    void aThousandAreCountedExactly() {
        TallyDenials denials = new TallyDenials();
        for (int i = 0; i < 3_000; i++) {
            denials.note(subject(i % 1_000));
        }

        assertThat(denials.counts()).hasSize(1_000).containsValue(3L).doesNotContainValue(2L);
    }

    /** A few that are seen often among many that are not. */
    @Provide
    Arbitrary<List<Integer>> crowds() {
        return Arbitraries.frequencyOf(
                        Tuple.of(1, Arbitraries.integers().between(0, 20)),
                        Tuple.of(4, Arbitraries.integers().between(0, 20_000)))
                .list()
                .ofMinSize(1_500)
                .ofMaxSize(8_000);
    }

    private static CounterId subject(int number) {
        return new CounterId("acme", "login", "user-" + number);
    }
}
