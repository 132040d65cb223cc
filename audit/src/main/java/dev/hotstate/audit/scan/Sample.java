package dev.hotstate.audit.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The names with the smallest hashes, up to a number of them: a random choice that does not depend on the order in which
 * names come, nor on whether a scan shows one twice.
 */
final class Sample {
    private final int size;
    private final PriorityQueue<Chosen> chosen =
            new PriorityQueue<>(Comparator.comparingLong(Chosen::hash).reversed());
    private final Set<Long> hashes = new HashSet<>();
    private long greatest = Long.MAX_VALUE;

    /** @param node where the name was seen */
    record Chosen(long hash, byte[] name, int node) {}

    Sample(int size) {
        this.size = size;
    }

    void offer(long hash, byte[] bytes, int from, int to, int node) {
        if (hash < greatest || chosen.size() < size) {
            add(new Chosen(hash, Arrays.copyOfRange(bytes, from, to), node));
        }
    }

    void addAll(Sample other) {
        other.chosen.forEach(this::add);
    }

    void add(Chosen one) {
        if (chosen.size() == size && one.hash >= greatest || !hashes.add(one.hash)) {
            return;
        }
        chosen.add(one);
        if (chosen.size() > size) {
            hashes.remove(chosen.remove().hash);
        }
        greatest = chosen.size() < size ? Long.MAX_VALUE : chosen.element().hash;
    }

    /** By their hashes. */
    List<Chosen> all() {
        List<Chosen> all = new ArrayList<>(chosen);
        all.sort(Comparator.comparingLong(Chosen::hash));
        return all;
    }

    List<byte[]> names() {
        return all().stream().map(Chosen::name).toList();
    }

    void write(ArrayNode names) {
        all().forEach(one ->
                names.addObject().put("hash", Long.toString(one.hash())).put("name", one.name()));
    }

    /** @throws IOException if a name is no base 64 */
    void read(JsonNode names, int node) throws IOException {
        for (JsonNode one : names) {
            add(new Chosen(
                    Long.parseLong(one.path("hash").asText()), one.path("name").binaryValue(), node));
        }
    }
}
