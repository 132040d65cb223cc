package dev.hotstate.audit.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.audit.schema.SchemaWriter;
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
    private final String mark;
    private final Map<String, JsonNode> nodes = new HashMap<>();
    private final Map<String, Long> written = new HashMap<>();

    /**
     * @param done whether all of its names were read
     * @param uncounted names before the cursor that the census does not have
     */
    record Left(String address, Cursor cursor, boolean done, Census census, List<Looked> uncounted) {}

    private Resume(@Nullable Path file, Census.Plan plan, String mark) {
        this.file = file;
        this.plan = plan;
        this.mark = mark;
    }

    /** @throws IllegalArgumentException if the file is of another Redis, or of a scan with another schema, sample or seed */
    static Resume read(ScanOptions options, Census.Plan plan) {
        Path file = options.resume();
        Resume resume = new Resume(file, plan, mark(options));
        if (file == null || !Files.exists(file)) {
            return resume;
        }
        try {
            JsonNode root = JSON.readTree(file.toFile());
            if (!resume.mark.equals(root.path("of").asText())) {
                throw new IllegalArgumentException(
                        "resume: " + file
                                + " is of an audit of another Redis, with another schema, sample or seed, or one of all keys; take it away to begin anew");
            }
            root.path("nodes")
                    .forEach(node -> resume.nodes.put(node.path("address").asText(), node));
            return resume;
        } catch (IOException unreadable) {
            throw new IllegalArgumentException("resume: " + file + " cannot be read", unreadable);
        }
    }

    /** Sets a node's cursor to where it was. */
    void goOn(String address, Cursor cursor) {
        JsonNode node = known(address);
        cursor.from(
                Long.parseUnsignedLong(node.path("cursor").asText("0")),
                node.path("ended").asBoolean());
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
        node.put("cursor", Long.toUnsignedString(part.cursor.at()));
        node.put("ended", part.cursor.isEnded()).put("done", part.done);
        part.census.write(node);
        ArrayNode uncounted = node.putArray("uncounted");
        part.uncounted.forEach(
                key -> uncounted.add(JSON.getNodeFactory().binaryNode(key.bytes, key.from, key.to - key.from)));
        nodes.put(part.address, node);
        ObjectNode root = JSON.createObjectNode().put("of", mark);
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
    private static String mark(ScanOptions options) {
        CRC32 crc = new CRC32();
        if (options.schema() != null) {
            crc.update(SchemaWriter.yaml(options.schema()).getBytes(UTF_8));
        }
        return options.of() + "/" + crc.getValue() + "/" + (options.full() ? "all" : options.sample()) + "/"
                + options.seed();
    }
}
