package dev.hotstate.core;

/**
 * The buckets of a histogram that adds up, found by shifts. Below 64 a bucket holds one value. From there on each doubling
 * is cut into 32 equal buckets, so the middle of a bucket is at most 1/64 (1.5625 %) away from every value in it.
 */
public final class BucketScale {
    private static final int SUB_BITS = 5;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;

    private BucketScale() {}

    /** @param value not negative */
    public static int index(long value) {
        if (value < SUB_BUCKETS) {
            return (int) value;
        }
        int shift = 63 - SUB_BITS - Long.numberOfLeadingZeros(value);
        return shift * SUB_BUCKETS + (int) (value >> shift);
    }

    public static double middle(int index) {
        if (index < 2 * SUB_BUCKETS) {
            return index;
        }
        int shift = index / SUB_BUCKETS - 1;
        long low = (long) (index % SUB_BUCKETS + SUB_BUCKETS) << shift;
        return low + ((1L << shift) - 1) / 2.0;
    }
}
