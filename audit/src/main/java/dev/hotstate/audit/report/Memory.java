package dev.hotstate.audit.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where the memory of the nodes that were read is. {@code used = attributed + the sum of explained}; what nobody can
 * explain is there as {@code unexplained}, below zero where estimates are too high.
 *
 * @param used {@code used_memory}
 * @param attributed to families
 * @param attributedPlusMinus half the width of its 95 % interval
 * @param explained the rest in bytes: {@code keyspace_tables}, {@code expires_tables}, {@code replication_backlog},
 *     {@code client_buffers}, {@code aof_buffer}, {@code scripts}, {@code startup}, {@code unexplained} …
 * @param resident {@code used_memory_rss}: what the operating system gave
 * @param fragmentation resident by used
 * @param limit {@code maxmemory} of all these nodes, 0 where one has none
 */
public record Memory(
        long used,
        long attributed,
        long attributedPlusMinus,
        Map<String, Long> explained,
        long resident,
        double fragmentation,
        long limit) {
    public Memory {
        explained = Collections.unmodifiableMap(new LinkedHashMap<>(explained));
    }
}
