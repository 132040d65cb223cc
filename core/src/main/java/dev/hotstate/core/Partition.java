package dev.hotstate.core;

import io.lettuce.core.cluster.SlotHash;
import java.util.List;
import java.util.stream.IntStream;

/** A feature's unit of atomicity and of scale: everything one script touches shares its tag. */
public record Partition(String tag) {
    private static final int SLOTS = SlotHash.SLOT_COUNT;

    public Partition {
        if (tag.isEmpty() || !tag.chars().allMatch(c -> Segment.isIdCharacter((char) c))) {
            throw new IllegalArgumentException("tag must be of A-Z a-z 0-9 . _ -, not \"" + tag + "\"");
        }
    }

    /**
     * So many partitions whose slots spread evenly over the cluster: the i-th lies in the i-th of as many equal ranges.
     * Plain {@code j0}, {@code j1}, {@code j2} would not, so a tag that misses its range gets the first letter that
     * hits: {@code j1}, else {@code j1a}, {@code j1b}, …
     */
    public static List<Partition> spread(String letter, int count) {
        if (count < 1 || count > 64) {
            throw new IllegalArgumentException("partitions must be 1 to 64, not " + count);
        }
        return IntStream.range(0, count)
                .mapToObj(i -> inRange(letter + i, i, count))
                .toList();
    }

    int slot() {
        return SlotHash.getSlot(tag);
    }

    private static Partition inRange(String stem, int index, int count) {
        for (int suffix = -1; ; suffix++) {
            Partition candidate = new Partition(suffix < 0 ? stem : stem + Integer.toString(suffix + 10, 36));
            if ((long) candidate.slot() * count / SLOTS == index) {
                return candidate;
            }
        }
    }

    @Override
    public String toString() {
        return "{" + tag + "}";
    }
}
