package dev.hotstate.audit.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;

/** TTLs in milliseconds: the shortest, the longest, and about the one in the middle, without keeping them. */
final class Ttls {
    /** Two TTLs in one class differ by less than a part in so many. */
    private static final int FINE = 64;

    private static final int BITS = Integer.numberOfTrailingZeros(FINE);

    /** By the least TTL of each. */
    private final Map<Long, Long> classes = new TreeMap<>();

    private long least = Long.MAX_VALUE;
    private long most = -1;

    void add(long ttl) {
        least = Math.min(least, ttl);
        most = Math.max(most, ttl);
        classes.merge(lowest(ttl), 1L, Long::sum);
    }

    void addAll(Ttls other) {
        least = Math.min(least, other.least);
        most = Math.max(most, other.most);
        other.classes.forEach((from, count) -> classes.merge(from, count, Long::sum));
    }

    void write(ObjectNode node) {
        node.put("least", least).put("most", most);
        ObjectNode counts = node.putObject("from");
        classes.forEach((from, count) -> counts.put(Long.toString(from), count));
    }

    static Ttls read(JsonNode node) {
        Ttls ttls = new Ttls();
        ttls.least = node.path("least").asLong(Long.MAX_VALUE);
        ttls.most = node.path("most").asLong(-1);
        node.path("from")
                .properties()
                .forEach(one -> ttls.classes.put(
                        Long.valueOf(one.getKey()), one.getValue().asLong()));
        return ttls;
    }

    long least() {
        return least;
    }

    /** -1 where there is none. */
    long most() {
        return most;
    }

    /** -1 where there is none. */
    long median() {
        long all = classes.values().stream().mapToLong(Long::longValue).sum();
        long before = 0;
        for (Map.Entry<Long, Long> one : classes.entrySet()) {
            before += one.getValue();
            if (before > all / 2) {
                return Math.clamp(one.getKey(), least, most);
            }
        }
        return -1;
    }

    private static long lowest(long ttl) {
        int drop = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(ttl) - 1 - BITS);
        return ttl >> drop << drop;
    }
}
