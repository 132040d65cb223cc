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
     * So many partitions whose slots spread evenly over the cluster: the i-th lies in the i-th of as many equal ranges,
     * on the side of its middle where two of three masters meet. So each of three masters gets its share within one,
     * and each of any other number within two.
     *
     * <p>Plain {@code j0}, {@code j1}, {@code j2} would not, so a tag that misses its range gets the first letters that
     * hit: {@code j1}, else {@code j1a}, {@code j1b}, … {@code j1z}, {@code j1aa}, … One alone may lie anywhere.
     */
    public static List<Partition> spread(String letter, int count) {
        if (count < 1 || count > 64) {
            throw new IllegalArgumentException("partitions must be 1 to 64, not " + count);
        }
        if (letter.isEmpty() || !letter.chars().allMatch(c -> c >= 'a' && c <= 'z')) {
            throw new IllegalArgumentException("partitions are called by letters a-z, not \"" + letter + "\"");
        }
        return IntStream.range(0, count)
                .mapToObj(i -> inRange(letter + i, i, count))
                .toList();
    }

    int slot() {
        return SlotHash.getSlot(tag);
    }

    private static Partition inRange(String stem, int index, int count) {
        for (int attempt = 0; ; attempt++) {
            Partition candidate = new Partition(stem + letters(attempt));
            int slot = candidate.slot();
            boolean inThird = count == 1 || slot * 3 / SLOTS == (2 * index + 1) * 3 / (2 * count);
            if (inThird && slot * count / SLOTS == index) {
                return candidate;
            }
        }
    }

    /** Nothing, a, b, … z, aa, ab, …: letters, so that {@code j1} with a suffix never looks like another number. */
    private static String letters(int attempt) {
        StringBuilder letters = new StringBuilder();
        for (int rest = attempt; rest > 0; rest = (rest - 1) / 26) {
            letters.insert(0, (char) ('a' + (rest - 1) % 26));
        }
        return letters.toString();
    }

    @Override
    public String toString() {
        return "{" + tag + "}";
    }
}
