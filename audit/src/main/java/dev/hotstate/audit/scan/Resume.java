package dev.hotstate.audit.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.wire.Names;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Where a scan is: each node's cursor, what was counted there, and the names that were read and not yet counted. It is
 * written now and then, so that a scan that was killed can go on too. Redis keeps no state for a cursor, so it stays
 * valid; keys that came or went meanwhile may be missed or counted twice, as in any scan.
 */
final class Resume {
    /** What a scan that is killed has to do again, at most. */
    private static final long EVERY = Duration.ofSeconds(5).toNanos();

    private static final ObjectMapper JSON = new ObjectMapper();

    private final @Nullable Path file;
    private final Census.Plan plan;
    private final boolean full;
    private final Map<String, JsonNode> nodes = new HashMap<>();
    private final Map<String, Long> written = new HashMap<>();

    /**
     * @param done whether all of its names were read
     * @param uncounted names before the cursor that the census does not have
     */
    record Left(String address, long cursor, boolean done, Census census, List<Looked> uncounted) {}

    private Resume(@Nullable Path file, Census.Plan plan, boolean full) {
        this.file = file;
        this.plan = plan;
        this.full = full;
    }

    /** @throws IllegalArgumentException if the file is of a scan with another schema, sample or seed */
    static Resume read(@Nullable Path file, Census.Plan plan, boolean full) {
        Resume resume = new Resume(file, plan, full);
        if (file == null || !Files.exists(file)) {
            return resume;
        }
        try {
            JsonNode root = JSON.readTree(file.toFile());
            if (!resume.mark().equals(root.path("of").asText())) {
                throw new IllegalArgumentException(
                        "resume: " + file
                                + " is of an audit with another schema, sample or seed, or one of all keys; take it away to begin anew");
            }
            root.path("nodes")
                    .forEach(node -> resume.nodes.put(node.path("address").asText(), node));
            return resume;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("resume: " + file + " cannot be read", unreadable);
        }
    }

    long cursor(String address) {
        JsonNode node = nodes.get(address);
        return node == null ? 0 : Long.parseUnsignedLong(node.path("cursor").asText("0"));
    }

    boolean isDone(String address) {
        JsonNode node = nodes.get(address);
        return node != null && node.path("done").asBoolean();
    }

    Census census(String address, int number) {
        Census census = new Census(plan, number);
        try {
            census.read(known(address));
            return census;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("resume: " + file + " cannot be read", unreadable);
        }
    }

    /** Names that were read and not counted. */
    Names uncounted(String address) {
        Names names = new Names();
        try {
            for (JsonNode name : known(address).path("uncounted")) {
                names.add(name.binaryValue());
            }
            return names;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("resume: " + file + " cannot be read", unreadable);
        }
    }

    private JsonNode known(String address) {
        return nodes.getOrDefault(address, JSON.missingNode());
    }

    /** Whether it is time for {@link #write}; for the first time it always is. */
    synchronized boolean isDue(String address) {
        Long last = written.get(address);
        return file != null && (last == null || System.nanoTime() - last > EVERY);
    }

    /** Replaces the file, with this node as it is now and others as they last were. */
    synchronized void write(Left part) {
        if (file == null) {
            return;
        }
        ObjectNode node = JSON.createObjectNode().put("address", part.address);
        node.put("cursor", Long.toUnsignedString(part.cursor)).put("done", part.done);
        part.census.write(node);
        ArrayNode uncounted = node.putArray("uncounted");
        part.uncounted.forEach(
                key -> uncounted.add(JSON.getNodeFactory().binaryNode(key.bytes, key.from, key.to - key.from)));
        nodes.put(part.address, node);
        ObjectNode root = JSON.createObjectNode().put("of", mark());
        root.putArray("nodes").addAll(nodes.values());
        Path draft = file.resolveSibling(file.getFileName() + ".part");
        try {
            JSON.writeValue(draft.toFile(), root);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
        written.put(part.address, System.nanoTime());
    }

    /** Nothing is left to do. */
    void finish() {
        if (file == null) {
            return;
        }
        try {
            Files.deleteIfExists(file);
        } catch (IOException undeletable) {
            throw new UncheckedIOException(undeletable);
        }
    }

    /** What two scans must have in common to be one. */
    private String mark() {
        CRC32 crc = new CRC32();
        for (Family family : plan.families()) {
            crc.update((family.name() + family.pattern()).getBytes(UTF_8));
        }
        return crc.getValue() + "/" + (full ? "all" : plan.sample()) + "/" + plan.seed();
    }
}
