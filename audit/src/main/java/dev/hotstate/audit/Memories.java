package dev.hotstate.audit;

import dev.hotstate.audit.facts.Info;
import dev.hotstate.audit.facts.NodeFacts;
import dev.hotstate.audit.report.FamilyReport;
import dev.hotstate.audit.report.Memory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Where memory is: what families hold, by MEMORY USAGE, and what Redis has beside them. MEMORY USAGE counts a key's
 * name, value and its entry in the main table, so of the tables only their arrays, and the entries of the table of
 * expiries, are left to explain.
 */
final class Memories {
    private static final int POINTER = 8;
    private static final int ENTRY = 24;

    private Memories() {}

    static Memory of(List<NodeFacts> nodes, List<FamilyReport> families) {
        long used = sum(nodes, "used_memory");
        long attributed = families.stream().mapToLong(FamilyReport::bytes).sum();
        double squares = families.stream()
                .mapToDouble(family -> (double) family.bytesPlusMinus() * family.bytesPlusMinus())
                .sum();
        Map<String, Long> explained = new LinkedHashMap<>();
        explained.put("startup", sum(nodes, "used_memory_startup"));
        explained.put("keyspace_tables", tables(nodes, "keys", 0));
        explained.put("expires_tables", tables(nodes, "expires", ENTRY));
        explained.put("replication_backlog", sum(nodes, "mem_replication_backlog"));
        explained.put("client_buffers", sum(nodes, "mem_clients_normal") + sum(nodes, "mem_clients_slaves"));
        explained.put("aof_buffer", sum(nodes, "mem_aof_buffer"));
        explained.put("scripts", scripts(nodes));
        explained.put("cluster_links", sum(nodes, "mem_cluster_links"));
        explained.values().removeIf(bytes -> bytes == 0);
        long rest = explained.values().stream().mapToLong(Long::longValue).sum();
        explained.put("unexplained", used - attributed - rest);
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

    /** A table has a power of two of places. */
    private static long tables(List<NodeFacts> nodes, String what, int entry) {
        long bytes = 0;
        for (NodeFacts node : nodes) {
            for (Map.Entry<String, String> field : node.info().entrySet()) {
                if (field.getKey().matches("db\\d+")) {
                    long entries = Info.number(Info.parts(field.getValue()), what);
                    long places = entries == 0 ? 0 : Long.highestOneBit(Math.max(1, entries * 2 - 1));
                    bytes += places * POINTER + entries * entry;
                }
            }
        }
        return bytes;
    }

    /** From 7.0 on both engines are one number; before, Lua's alone. */
    private static long scripts(List<NodeFacts> nodes) {
        return nodes.stream()
                .mapToLong(node -> node.info().containsKey("used_memory_scripts")
                        ? node.number("used_memory_scripts")
                        : node.number("used_memory_lua"))
                .sum();
    }

    private static long sum(List<NodeFacts> nodes, String field) {
        return nodes.stream().mapToLong(node -> node.number(field)).sum();
    }
}
