package dev.hotstate.monitors;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.core.Partition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.CRC32;

/** Which partition a monitor is in, and at which moment of its interval it runs: both by its id alone. */
final class Partitions {
    private final List<Partition> all;

    Partitions(int count) {
        this(Partition.spread("m", count));
    }

    private Partitions(List<Partition> all) {
        this.all = all;
    }

    /** One of them, for those who look at each apart. */
    static Partitions only(Partition one) {
        return new Partitions(List.of(one));
    }

    List<Partition> all() {
        return all;
    }

    Partition of(String id) {
        return all.get((int) (hash(id) % all.size()));
    }

    <T> Map<Partition, List<T>> grouped(List<T> items, Function<T, String> id) {
        Map<Partition, List<T>> groups = new LinkedHashMap<>();
        items.forEach(item -> groups.computeIfAbsent(of(id.apply(item)), p -> new java.util.ArrayList<>())
                .add(item));
        return groups;
    }

    /** Somewhere in a span, always at the same place: monitors of one interval are spread over it. */
    static long phase(String id, long spanMs) {
        // Not the bits that chose the partition, or its monitors would share a phase.
        return hash("phase " + id) % Math.max(1, spanMs);
    }

    private static long hash(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(UTF_8));
        return crc.getValue();
    }
}
