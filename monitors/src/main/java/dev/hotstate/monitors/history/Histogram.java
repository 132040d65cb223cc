package dev.hotstate.monitors.history;

import dev.hotstate.core.BucketScale;
import java.util.Arrays;

/**
 * How often each latency was seen, in buckets of milliseconds that add up: a day's histogram is the sum of its hours'.
 *
 * <p>Below 64 ms a bucket is one millisecond wide. From there on each doubling is cut into 32 equal buckets, so the middle
 * of a bucket is at most 1/64 away from every value in it: that is the error of {@link #percentile}. Values beyond an hour
 * count as an hour. Only buckets that are not empty take memory, or bytes. Not safe for use by several threads.
 */
final class Histogram {
    static final long MAX_MS = 3_600_000;
    private static final int BUCKETS = BucketScale.index(MAX_MS) + 1;

    private int[] buckets = {};
    private long[] counts = {};
    private int size;
    private long total;

    void add(long ms) {
        add(BucketScale.index(Math.clamp(ms, 0, MAX_MS)), 1);
    }

    void merge(Histogram other) {
        for (int i = 0; i < other.size; i++) {
            add(other.buckets[i], other.counts[i]);
        }
    }

    long count() {
        return total;
    }

    /**
     * The value of nearest rank: the smallest that at least so many percent of all values do not pass, as the middle of its
     * bucket.
     */
    double percentile(double percent) {
        if (!(percent > 0 && percent <= 100)) {
            throw new IllegalArgumentException("percent must be above 0 and at most 100, not " + percent);
        }
        if (total == 0) {
            throw new IllegalStateException("an empty histogram has no percentiles");
        }
        long rank = Math.max(1, (long) Math.ceil(percent / 100 * total));
        int i = 0;
        for (long seen = counts[0]; seen < rank; seen += counts[i]) {
            i++;
        }
        return BucketScale.middle(buckets[i]);
    }

    /** How many buckets, then each as its distance from the one before and its count. */
    void write(Varints.Writer out) {
        out.put(size);
        for (int i = 0; i < size; i++) {
            out.put(buckets[i] - (i == 0 ? 0 : buckets[i - 1]));
            out.put(counts[i]);
        }
    }

    static Histogram read(Varints.Reader in) {
        Histogram histogram = new Histogram();
        int bucket = 0;
        for (long left = in.next(); left > 0; left--) {
            bucket = Math.addExact(bucket, Math.toIntExact(in.next()));
            if (bucket >= BUCKETS) {
                throw new IllegalArgumentException("there is no bucket " + bucket + " in a histogram");
            }
            histogram.add(bucket, in.next());
        }
        return histogram;
    }

    private void add(int bucket, long count) {
        int i = Arrays.binarySearch(buckets, 0, size, bucket);
        if (i < 0) {
            i = -i - 1;
            insert(i, bucket);
        }
        counts[i] += count;
        total += count;
    }

    private void insert(int i, int bucket) {
        if (size == buckets.length) {
            buckets = Arrays.copyOf(buckets, size + 4 + size / 2);
            counts = Arrays.copyOf(counts, buckets.length);
        }
        System.arraycopy(buckets, i, buckets, i + 1, size - i);
        System.arraycopy(counts, i, counts, i + 1, size - i);
        buckets[i] = bucket;
        counts[i] = 0;
        size++;
    }
}
