package dev.hotstate.audit;

import dev.hotstate.audit.facts.Info;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.FamilyReport;
import dev.hotstate.audit.report.Memory;
import dev.hotstate.audit.scan.Seen;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where memory is: what families hold, by MEMORY USAGE, and what Redis has beside them. MEMORY USAGE counts a key's
 * name, value and its entry in the main table, so of the tables only their arrays, and the entries of the table of
 * expiries, are left to explain. It counts entries as large as they are asked for, and an allocator of coarse blocks gives
 * each some bytes more.
 */
final class Memories {
    private static final int POINTER = 8;
    private static final int ENTRY = 24;

    /** Of the value, which {@code used_memory_overhead} counts with the table. */
    private static final int OBJECT = 16;

    /** Redis's own build of jemalloc has blocks of 24 bytes, that of most distributions has not. */
    private static final int ENTRY_GIVEN = 32;

    /**
     * From 7.0 on, unless latency-tracking is off, each command that was ever called has a histogram of its times, from a
     * nanosecond to a second with two digits: 3,072 counts of eight bytes, and what holds them.
     */
    private static final int HISTOGRAM = 3_072 * 8 + 104;

    private static final String HISTOGRAM_OF = "latency_percentiles_usec_";

    private Memories() {}

    static Memory of(List<NodeFacts> nodes, List<FamilyReport> families, Seen seen) {
        long used = sum(nodes, "used_memory");
        long attributed = families.stream().mapToLong(FamilyReport::bytes).sum();
        double squares = families.stream()
                .mapToDouble(family -> (double) family.bytesPlusMinus() * family.bytesPlusMinus())
                .sum();
        Map<String, Long> explained = new LinkedHashMap<>();
        explained.put("startup", sum(nodes, "used_memory_startup"));
        explained.put(
                "keyspace_tables", nodes.stream().mapToLong(Memories::keyspace).sum());
        explained.put(
                "expires_tables", nodes.stream().mapToLong(Memories::expires).sum());
        explained.put("replication_backlog", sum(nodes, "mem_replication_backlog"));
        explained.put("client_buffers", sum(nodes, "mem_clients_normal") + sum(nodes, "mem_clients_slaves"));
        explained.put("aof_buffer", sum(nodes, "mem_aof_buffer"));
        explained.put("scripts", scripts(nodes));
        explained.put("cluster_links", sum(nodes, "mem_cluster_links"));
        explained.put(
                "latency_histograms",
                nodes.stream().mapToLong(Memories::histograms).sum());
        // Where they stand with their values, MEMORY USAGE leaves them out.
        explained.put("names", nodes.stream().allMatch(Memories::hasEntries) ? 0 : seen.nameBytes());
        long rest = used - attributed - sum(explained);
        long rounding =
                seen.families().stream().anyMatch(family -> family.look().finelySized())
                        ? 0
                        : nodes.stream().mapToLong(Memories::rounding).sum();
        explained.put("entry_rounding", rounding <= rest ? rounding : 0);
        explained.values().removeIf(bytes -> bytes == 0);
        explained.put("unexplained", used - attributed - sum(explained));
        long resident = sum(nodes, "used_memory_rss");
        boolean limited = !nodes.isEmpty() && nodes.stream().allMatch(node -> node.number("maxmemory") > 0);
        return new Memory(
                used,
                attributed,
                Math.round(Math.sqrt(squares)),
                explained,
                resident,
                used == 0 ? 0 : (double) resident / used,
                limited ? sum(nodes, "maxmemory") : 0);
    }

    /**
     * The array of the main table. Redis tells what all its tables and buffers take together, also of one that has shrunk
     * or is just growing; where it does not, a table has a power of two of places.
     */
    private static long keyspace(NodeFacts node) {
        long keys = entries(node, "keys");
        long known = node.number("used_memory_overhead");
        return known == 0 || keys == 0
                ? places(keys) * POINTER
                : Math.max(0, known - beside(node) - expires(node) - (hasEntries(node) ? keys * (ENTRY + OBJECT) : 0));
    }

    private static long expires(NodeFacts node) {
        long entries = entries(node, "expires");
        return places(entries) * POINTER + (hasEntries(node) ? entries * ENTRY : 0);
    }

    private static long rounding(NodeFacts node) {
        return hasEntries(node) ? (entries(node, "keys") + entries(node, "expires")) * (ENTRY_GIVEN - ENTRY) : 0;
    }

    /** Valkey from 8.1 on keeps keys in tables without an entry for each. */
    private static boolean hasEntries(NodeFacts node) {
        String[] version = node.info().getOrDefault("valkey_version", "0.0").split("\\.", -1);
        int major = Integer.parseInt(version[0]);
        return major < 8 || major == 8 && version.length > 1 && version[1].equals("0");
    }

    private static long beside(NodeFacts node) {
        return node.number("used_memory_startup")
                + node.number("mem_replication_backlog")
                + node.number("mem_clients_normal")
                + node.number("mem_clients_slaves")
                + node.number("mem_aof_buffer")
                + node.number("mem_cluster_links")
                + node.number("used_memory_scripts");
    }

    private static long places(long entries) {
        return entries == 0 ? 0 : Long.highestOneBit(Math.max(1, entries * 2 - 1));
    }

    private static long entries(NodeFacts node, String what) {
        return node.info().entrySet().stream()
                .filter(field -> field.getKey().matches("db\\d+"))
                .mapToLong(field -> Info.number(Info.parts(field.getValue()), what))
                .sum();
    }

    /** From 7.0 on both engines are one number; before, Lua's alone. */
    private static long scripts(List<NodeFacts> nodes) {
        return nodes.stream()
                .mapToLong(node -> node.info().containsKey("used_memory_scripts")
                        ? node.number("used_memory_scripts")
                        : node.number("used_memory_lua"))
                .sum();
    }

    private static long histograms(NodeFacts node) {
        return HISTOGRAM
                * node.info().keySet().stream()
                        .filter(field -> field.startsWith(HISTOGRAM_OF))
                        .count();
    }

    private static long sum(Map<String, Long> parts) {
        return parts.values().stream().mapToLong(Long::longValue).sum();
    }

    private static long sum(List<NodeFacts> nodes, String field) {
        return nodes.stream().mapToLong(node -> node.number(field)).sum();
    }
}
