package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same is told by the list of a few buckets and by the array of many. */
class BucketsTest {
    private static final int MOST = 886;

    @ParameterizedTest
    @ValueSource(ints = {1, Buckets.FEW - 1, Buckets.FEW, Buckets.FEW + 1, 200})
    void countsAreThoseThatWereAddedInWhateverOrder(int distinct) {
        Random random = new Random(distinct);
        Buckets buckets = new Buckets(MOST);
        Map<Integer, Long> expected = filled(buckets, distinct, random);
        assertThat(counts(buckets)).isEqualTo(expected);
        assertRanks(buckets, expected);

        buckets.clear();
        assertThat(counts(buckets)).isEmpty();

        expected = filled(buckets, distinct, random);
        assertThat(counts(buckets)).isEqualTo(expected);
        assertRanks(buckets, expected);
    }

    private static Map<Integer, Long> filled(Buckets buckets, int distinct, Random random) {
        Map<Integer, Long> expected = new TreeMap<>();
        while (expected.size() < distinct) {
            int bucket = random.nextInt(MOST);
            long count = 1 + random.nextInt(1_000_000);
            expected.merge(bucket, count, Long::sum);
            buckets.add(bucket, count);
        }
        return expected;
    }

    private static Map<Integer, Long> counts(Buckets buckets) {
        Map<Integer, Long> counts = new TreeMap<>();
        buckets.forEach((bucket, count) -> assertThat(counts.put(bucket, count)).isNull());
        return counts;
    }

    private static void assertRanks(Buckets buckets, Map<Integer, Long> expected) {
        long before = 0;
        for (Map.Entry<Integer, Long> entry : expected.entrySet()) {
            assertThat(buckets.ofRank(before + 1)).isEqualTo(entry.getKey());
            before += entry.getValue();
            assertThat(buckets.ofRank(before)).isEqualTo(entry.getKey());
        }
    }
}
