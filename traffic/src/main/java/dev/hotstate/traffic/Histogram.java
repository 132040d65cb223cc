package dev.hotstate.traffic;

import java.util.Arrays;

/**
 * How often each duration was seen, in buckets of microseconds that add up: the histograms of instances, endpoints and
 * slots are merged by adding counts.
 *
 * <p>Below 64 µs a bucket is one microsecond wide. From there on each doubling is cut into 32 equal buckets, so the middle
 * of a bucket is at most 1/64 (1.5625 %) away from every value in it: that is the error of {@link #percentile}. A bucket's
 * index is found by shifts. Values beyond an hour count as an hour, so there are at most 886 buckets; only those between
 * the smallest and the largest value seen take memory. Not safe for use by several threads.
 */
public final class Histogram {
    /** The longest duration that is told from longer ones. */
    static final long MAX_MICROS = 3_600_000_000L;

    private static final int SUB_BITS = 5;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;
    static final int BUCKETS = index(MAX_MICROS) + 1;

    /** A histogram that grows does so by at least this much on the side that it grew to. */
    private static final int SLACK = 16;

    private int first;
    private long[] counts = {};
    private long total;

    public void add(long micros) {
        add(index(Math.clamp(micros, 0, MAX_MICROS)), 1);
    }

    public void merge(Histogram other) {
        for (int i = 0; i < other.counts.length; i++) {
            if (other.counts[i] != 0) {
                add(other.first + i, other.counts[i]);
            }
        }
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
        int i = 0;
        for (long seen = counts[0]; seen < rank; seen += counts[i]) {
            i++;
        }
        return middle(first + i);
    }

    /** As it stands in Redis and PostgreSQL: the first bucket and the counts from there, nothing for a zero. */
    @Override
    public String toString() {
        if (total == 0) {
            return "";
        }
        int from = 0;
        while (counts[from] == 0) {
            from++;
        }
        int to = counts.length;
        while (counts[to - 1] == 0) {
            to--;
        }
        StringBuilder text = new StringBuilder(8 + 3 * (to - from)).append(first + from);
        for (int i = from; i < to; i++) {
            text.append(i == from ? ';' : ',');
            if (counts[i] != 0) {
                text.append(counts[i]);
            }
        }
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
        Arrays.fill(counts, 0);
        total = 0;
    }

    static int index(long micros) {
        if (micros < SUB_BUCKETS) {
            return (int) micros;
        }
        int shift = 63 - SUB_BITS - Long.numberOfLeadingZeros(micros);
        return shift * SUB_BUCKETS + (int) (micros >> shift);
    }

    static double middle(int index) {
        if (index < 2 * SUB_BUCKETS) {
            return index;
        }
        int shift = index / SUB_BUCKETS - 1;
        long low = (long) (index % SUB_BUCKETS + SUB_BUCKETS) << shift;
        return low + ((1L << shift) - 1) / 2.0;
    }

    private void add(int index, long count) {
        int i = index - first;
        if (i < 0 || i >= counts.length) {
            reach(index);
            i = index - first;
        }
        counts[i] += count;
        total += count;
    }

    private void reach(int index) {
        int from = counts.length == 0 ? index : Math.min(first, index);
        int to = counts.length == 0 ? index + 1 : Math.max(first + counts.length, index + 1);
        if (from < first || counts.length == 0) {
            from = Math.max(0, from - SLACK);
        }
        if (to > first + counts.length) {
            to = Math.min(BUCKETS, to + SLACK);
        }
        long[] wider = new long[to - from];
        System.arraycopy(counts, 0, wider, Math.max(0, first - from), counts.length);
        first = from;
        counts = wider;
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
