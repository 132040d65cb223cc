package dev.hotstate.monitors;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.core.Partition;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.CRC32;

/** Which partition a monitor is in, and at which moment of its interval it runs: both by its id alone. */
final class Partitions {
    private final List<Partition> all;

    Partitions(int count) {
        this.all = Partition.spread("m", count);
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

    /** When a monitor's turn is next: at its phase of the interval. */
    static Instant turnAfter(Instant now, Monitor monitor) {
        long interval = monitor.interval().toMillis();
        long ms = now.toEpochMilli();
        return Instant.ofEpochMilli(ms - Math.floorMod(ms - phase(monitor.id(), interval), interval) + interval);
    }

    private static long hash(String text) {
        CRC32 crc = new CRC32();
        crc.update(text.getBytes(UTF_8));
        return crc.getValue();
    }
}
