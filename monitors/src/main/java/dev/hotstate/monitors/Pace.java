package dev.hotstate.monitors;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How many checks were made in the last minute over all instances, and how late they began: counted in buckets whose
 * bounds grow by 2^(1/4), so a percentile is too high by less than a fifth.
 */
record Pace(double checksPerSecond, double failuresPerSecond, double lagP50Ms, double lagP99Ms) {
    private static final int PER_OCTAVE = 4;
    private static final String LAG = "lag:";

    static int bucket(Duration lag) {
        long ms = lag.toMillis();
        return ms < 1 ? 0 : 1 + (int) Math.floor(PER_OCTAVE * Math.log(ms) / Math.log(2));
    }

    /** @param slots the counts of the slots of this span */
    static Pace of(List<Map<String, String>> slots, Duration span) {
        long passed = 0;
        long failed = 0;
        TreeMap<Integer, Long> lags = new TreeMap<>();
        for (Map<String, String> slot : slots) {
            passed += number(slot, "passed");
            failed += number(slot, "failed");
            slot.keySet().stream()
                    .filter(field -> field.startsWith(LAG))
                    .forEach(field ->
                            lags.merge(Integer.valueOf(field.substring(LAG.length())), number(slot, field), Long::sum));
        }
        double seconds = span.toMillis() / 1_000.0;
        return new Pace((passed + failed) / seconds, failed / seconds, percentile(lags, 0.5), percentile(lags, 0.99));
    }

    private static double percentile(TreeMap<Integer, Long> lags, double share) {
        double wanted =
                share * lags.values().stream().mapToLong(Long::longValue).sum();
        long seen = 0;
        for (Map.Entry<Integer, Long> bucket : lags.entrySet()) {
            seen += bucket.getValue();
            if (seen >= wanted) {
                return upperBound(bucket.getKey());
            }
        }
        return 0;
    }

    private static double upperBound(int bucket) {
        return bucket == 0 ? 1 : Math.pow(2, bucket / (double) PER_OCTAVE);
    }

    private static long number(Map<String, String> slot, String field) {
        return Long.parseLong(slot.getOrDefault(field, "0"));
    }
}
