package dev.hotstate.traffic;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counts by bucket. Up to {@value #FEW} buckets are kept as a sorted list of those that have a count, so that the memory
 * of a quiet endpoint follows what it saw; with more it is an array from the smallest to the largest, which costs a busy
 * one no search.
 */
final class Buckets {
    static final int FEW = 64;

    private static final int FIRST_SIZE = 4;

    /** An entry of the list is its bucket above and its count below. */
    private static final int COUNT_BITS = 48;

    private static final long COUNT = (1L << COUNT_BITS) - 1;

    /** An array that grows does so by at least this much on the side that it grew to. */
    private static final int SLACK = 16;

    private final int most;
    private long[] few = {};
    private int size;
    private long @Nullable [] many;
    private int first;

    /** @param most how many buckets there can be */
    Buckets(int most) {
        this.most = most;
    }

    void add(int bucket, long count) {
        if (many == null) {
            addToFew(bucket, count);
        } else {
            addToMany(many, bucket, count);
        }
    }

    /** Those that have a count, the smallest first. */
    void forEach(Consumer consumer) {
        if (many == null) {
            for (int i = 0; i < size; i++) {
                consumer.accept(bucket(few[i]), few[i] & COUNT);
            }
        } else {
            for (int i = 0; i < many.length; i++) {
                if (many[i] != 0) {
                    consumer.accept(first + i, many[i]);
                }
            }
        }
    }

    /** The bucket of the value that so many do not pass; there are at least that many. */
    int ofRank(long rank) {
        long left = rank;
        if (many == null) {
            int i = 0;
            for (left -= few[0] & COUNT; left > 0; left -= few[i] & COUNT) {
                i++;
            }
            return bucket(few[i]);
        }
        int i = 0;
        for (left -= many[0]; left > 0; left -= many[i]) {
            i++;
        }
        return first + i;
    }

    /** Forgets every count, and keeps the memory for the next ones. */
    void clear() {
        size = 0;
        if (many != null) {
            Arrays.fill(many, 0);
        }
    }

    @FunctionalInterface
    interface Consumer {
        void accept(int bucket, long count);
    }

    private void addToFew(int bucket, long count) {
        int at = 0;
        for (int to = size; at < to; ) {
            int middle = at + to >>> 1;
            if (bucket(few[middle]) < bucket) {
                at = middle + 1;
            } else {
                to = middle;
            }
        }
        if (at < size && bucket(few[at]) == bucket) {
            few[at] += count;
        } else if (size < FEW) {
            insert(at, (long) bucket << COUNT_BITS | count);
        } else {
            addToMany(spread(), bucket, count);
        }
    }

    private void insert(int at, long entry) {
        if (size == few.length) {
            few = Arrays.copyOf(few, size == 0 ? FIRST_SIZE : 2 * size);
        }
        System.arraycopy(few, at, few, at + 1, size - at);
        few[at] = entry;
        size++;
    }

    private long[] spread() {
        first = Math.max(0, bucket(few[0]) - SLACK);
        long[] counts = new long[Math.min(most, bucket(few[size - 1]) + 1 + SLACK) - first];
        for (int i = 0; i < size; i++) {
            counts[bucket(few[i]) - first] = few[i] & COUNT;
        }
        few = new long[0];
        size = 0;
        many = counts;
        return counts;
    }

    private void addToMany(long[] counts, int bucket, long count) {
        int i = bucket - first;
        if (i >= 0 && i < counts.length) {
            counts[i] += count;
        } else {
            widened(counts, bucket)[bucket - first] += count;
        }
    }

    private long[] widened(long[] counts, int bucket) {
        int from = bucket < first ? Math.max(0, bucket - SLACK) : first;
        int end = first + counts.length;
        int to = bucket >= end ? Math.min(most, bucket + 1 + SLACK) : end;
        long[] wider = new long[to - from];
        System.arraycopy(counts, 0, wider, first - from, counts.length);
        first = from;
        many = wider;
        return wider;
    }

    private static int bucket(long entry) {
        return (int) (entry >>> COUNT_BITS);
    }
}
