package dev.hotstate.traffic;

import dev.hotstate.core.BucketScale;

/**
 * How often each duration was seen, in buckets of microseconds that add up: the histograms of instances, endpoints and
 * slots are merged by adding counts.
 *
 * <p>Below 64 µs a bucket is one microsecond wide. From there on each doubling is cut into 32 equal buckets, so the middle
 * of a bucket is at most 1/64 (1.5625 %) away from every value in it: that is the error of {@link #percentile}. A bucket's
 * index is found by shifts. Values beyond an hour count as an hour, so there are at most 886 buckets; what they take in
 * memory follows how many of them were seen. Not safe for use by several threads.
 */
public final class Histogram {
    /** The longest duration that is told from longer ones. */
    static final long MAX_MICROS = 3_600_000_000L;

    static final int BUCKETS = BucketScale.index(MAX_MICROS) + 1;

    private final Buckets buckets = new Buckets(BUCKETS);
    private long total;

    public void add(long micros) {
        add(BucketScale.index(Math.clamp(micros, 0, MAX_MICROS)), 1);
    }

    public void merge(Histogram other) {
        other.buckets.forEach(this::add);
    }

    /** How many values were added. */
    public long count() {
        return total;
    }

    /**
     * The value of nearest rank in microseconds: the smallest that at least so many percent of all values do not pass, as
     * the middle of its bucket.
     *
     * @param percent above 0, at most 100
     * @throws IllegalStateException when it is empty
     */
    public double percentile(double percent) {
        if (!(percent > 0 && percent <= 100)) {
            throw new IllegalArgumentException("percent must be above 0 and at most 100, not " + percent);
        }
        if (total == 0) {
            throw new IllegalStateException("an empty histogram has no percentiles");
        }
        long rank = Math.max(1, (long) Math.ceil(percent / 100 * total));
        return BucketScale.middle(buckets.ofRank(rank));
    }

    /** As it stands in Redis and PostgreSQL: the first bucket and the counts from there, nothing for a zero. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        int[] next = new int[1];
        buckets.forEach((bucket, count) -> {
            if (text.isEmpty()) {
                text.append(bucket).append(';');
            } else {
                text.repeat(',', bucket - next[0] + 1);
            }
            text.append(count);
            next[0] = bucket + 1;
        });
        return text.toString();
    }

    /** @throws IllegalArgumentException when the text was not written by {@link #toString} */
    public static Histogram parse(String text) {
        Histogram histogram = new Histogram();
        if (text.isEmpty()) {
            return histogram;
        }
        int semicolon = text.indexOf(';');
        try {
            int index = Integer.parseInt(text, 0, semicolon, 10);
            for (int at = semicolon + 1; at <= text.length(); index++) {
                int comma = text.indexOf(',', at);
                int end = comma < 0 ? text.length() : comma;
                if (end > at) {
                    histogram.add(requireBucket(index), requirePositive(Long.parseLong(text, at, end, 10)));
                }
                at = end + 1;
            }
        } catch (IndexOutOfBoundsException | NumberFormatException unreadable) {
            throw new IllegalArgumentException("\"" + text + "\" is no histogram such as 172;1,5,12,,3", unreadable);
        }
        return histogram;
    }

    boolean isEmpty() {
        return total == 0;
    }

    /** Forgets every value, and keeps the memory for the next ones. */
    void clear() {
        buckets.clear();
        total = 0;
    }

    private void add(int index, long count) {
        buckets.add(index, count);
        total += count;
    }

    private static int requireBucket(int index) {
        if (index < 0 || index >= BUCKETS) {
            throw new NumberFormatException("there is no bucket " + index);
        }
        return index;
    }

    private static long requirePositive(long count) {
        if (count < 1) {
            throw new NumberFormatException("a count is positive, not " + count);
        }
        return count;
    }
}
