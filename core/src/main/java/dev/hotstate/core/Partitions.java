package dev.hotstate.core;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.CRC32;

/** Which partition something is in, and at which moment of its interval it runs: both by its id alone. */
public final class Partitions {
    private final List<Partition> all;

    /** So many, called by a letter. */
    public Partitions(String letter, int count) {
        this(Partition.spread(letter, count));
    }

    private Partitions(List<Partition> all) {
        this.all = all;
    }

    /** One of them, for those who look at each apart. */
    public static Partitions only(Partition one) {
        return new Partitions(List.of(one));
    }

    public List<Partition> all() {
        return all;
    }

    public Partition of(String id) {
        return all.get((int) (hash(id) % all.size()));
    }

    public <T> Map<Partition, List<T>> grouped(List<T> items, Function<T, String> id) {
        Map<Partition, List<T>> groups = new LinkedHashMap<>();
        items.forEach(item -> groups.computeIfAbsent(of(id.apply(item)), p -> new java.util.ArrayList<>())
                .add(item));
        return groups;
    }

    /** Somewhere in a span, always at the same place: what has one interval is spread over it. */
    public static long phase(String id, long spanMs) {
        // Not the bits that chose the partition, or all of it would share a phase.
        return hash("phase " + id) % Math.max(1, spanMs);
    }

    private static long hash(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(UTF_8));
        return crc.getValue();
    }
}
