package dev.hotstate.audit.report;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of a family. Where keys were sampled, what is not a count is an estimate from {@code sampled} keys.
 *
 * @param name of the declared family; for others the common shape of their names
 * @param declared whether the schema has it
 * @param type as declared, else as seen; {@code mixed} where several were seen
 * @param owner as declared, or nothing
 * @param lifetime as declared, in words, or nothing
 * @param keys all of them, counted
 * @param bytes in memory
 * @param bytesPlusMinus half the width of the 95 % interval around bytes; 0 where all were looked at
 * @param sampled keys that were looked at
 * @param types how many of the sampled have which type
 * @param ttl null where none of the sampled has one
 * @param largest the largest key of the sampled, null where sizes were not to be had
 * @param elements the most elements of a sampled key
 * @param examples up to three names
 */
public record FamilyReport(
        String name,
        boolean declared,
        String pattern,
        String type,
        String owner,
        String lifetime,
        long keys,
        long bytes,
        long bytesPlusMinus,
        long sampled,
        Map<String, Long> types,
        @Nullable Ttl ttl,
        @Nullable Largest largest,
        long elements,
        List<String> examples) {

    /**
     * The TTLs of sampled keys that have one.
     *
     * @param share of the sampled that have one
     */
    public record Ttl(double share, long minMs, long medianMs, long maxMs) {}

    public record Largest(String key, long bytes) {}

    public FamilyReport {
        types = Map.copyOf(types);
        examples = List.copyOf(examples);
    }
}
