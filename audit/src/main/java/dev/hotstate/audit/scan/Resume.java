package dev.hotstate.audit.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.audit.names.Shape;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Variable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Where a stopped scan left off: each node's cursor and what was counted there. Redis keeps no state for a cursor, so it
 * stays valid; keys that came or went meanwhile may be missed or counted twice, as in any scan.
 */
final class Resume {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final @Nullable Path file;
    private final Map<String, JsonNode> nodes = new HashMap<>();

    /** @param done whether all of its names were read */
    record Left(String address, long cursor, boolean done, Census census) {}

    private Resume(@Nullable Path file) {
        this.file = file;
    }

    /** @throws IllegalArgumentException if the file is of a scan with another schema, sample or seed */
    static Resume read(@Nullable Path file, Census.Plan plan) {
        Resume resume = new Resume(file);
        if (file == null || !Files.exists(file)) {
            return resume;
        }
        try {
            JsonNode root = JSON.readTree(file.toFile());
            if (!mark(plan).equals(root.path("of").asText())) {
                throw new IllegalArgumentException(
                        "resume: " + file + " is of an audit with another schema, sample or seed");
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

    Census census(String address, Census.Plan plan, int number) {
        Census census = new Census(plan, number);
        JsonNode node = nodes.get(address);
        if (node == null) {
            return census;
        }
        census.restore(node.path("keys").asLong());
        for (int i = 0; i < census.declared().size(); i++) {
            census.declared().get(i).addAll(tally(node.path("declared").path(i), plan, number));
        }
        List<Discovery.Found> found = new ArrayList<>();
        node.path("found").forEach(one -> found.add(new Discovery.Found(shape(one), tally(one, plan, number))));
        census.discovery().restore(found);
        census.foreign().addAll(noted(node.path("foreign")));
        census.retagged().addAll(noted(node.path("retagged")));
        node.path("slots")
                .properties()
                .forEach(slot -> census.slots()[Integer.parseInt(slot.getKey())] =
                        slot.getValue().asLong());
        return census;
    }

    /** Writes what is left to do, or takes the file away when nothing is. */
    void leave(boolean complete, Census.Plan plan, List<Left> parts) {
        if (file == null) {
            return;
        }
        try {
            if (complete) {
                Files.deleteIfExists(file);
                return;
            }
            ObjectNode root = JSON.createObjectNode().put("of", mark(plan));
            ArrayNode all = root.putArray("nodes");
            parts.forEach(part -> write(all.addObject(), part));
            JSON.writeValue(file.toFile(), root);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private static void write(ObjectNode node, Left part) {
        node.put("address", part.address);
        node.put("cursor", Long.toUnsignedString(part.cursor));
        node.put("done", part.done);
        node.put("keys", part.census.keys());
        ArrayNode declared = node.putArray("declared");
        part.census.declared().forEach(tally -> write(declared.addObject(), tally));
        ArrayNode found = node.putArray("found");
        for (Discovery.Found one : part.census.discovery().found()) {
            ObjectNode shape = found.addObject();
            shape.put("name", one.shape().name());
            shape.put("pattern", one.shape().pattern());
            ArrayNode variables = shape.putArray("variables");
            one.shape()
                    .variables()
                    .forEach(variable -> variables
                            .addObject()
                            .put("name", variable.name())
                            .put("kind", variable.kind().word()));
            write(shape, one.tally());
        }
        write(node.putObject("foreign"), part.census.foreign());
        write(node.putObject("retagged"), part.census.retagged());
        ObjectNode slots = node.putObject("slots");
        for (int i = 0; i < part.census.slots().length; i++) {
            if (part.census.slots()[i] > 0) {
                slots.put(Integer.toString(i), part.census.slots()[i]);
            }
        }
    }

    private static void write(ObjectNode node, Tally tally) {
        node.put("count", tally.count());
        write(node.putArray("sample"), tally.sample());
        write(node.putObject("too_long"), tally.tooLong());
        write(node.putObject("unprintable"), tally.unprintable());
        write(node.putObject("misnamed"), tally.misnamed());
    }

    private static void write(ObjectNode node, Noted noted) {
        node.put("count", noted.count());
        write(node.putArray("sample"), noted.kept());
    }

    private static void write(ArrayNode names, Sample sample) {
        sample.all()
                .forEach(one -> names.addObject()
                        .put("hash", Long.toString(one.hash()))
                        .put("name", Base64.getEncoder().encodeToString(one.name())));
    }

    private static Tally tally(JsonNode node, Census.Plan plan, int number) {
        Tally tally = new Tally(plan.sample());
        tally.restore(node.path("count").asLong());
        chosen(node.path("sample"), number).forEach(tally.sample()::add);
        tally.tooLong().addAll(noted(node.path("too_long")));
        tally.unprintable().addAll(noted(node.path("unprintable")));
        tally.misnamed().addAll(noted(node.path("misnamed")));
        return tally;
    }

    private static Noted noted(JsonNode node) {
        Noted noted = new Noted();
        noted.restore(node.path("count").asLong(), chosen(node.path("sample"), 0));
        return noted;
    }

    private static List<Sample.Chosen> chosen(JsonNode names, int number) {
        List<Sample.Chosen> chosen = new ArrayList<>();
        names.forEach(one -> chosen.add(new Sample.Chosen(
                Long.parseLong(one.path("hash").asText()),
                Base64.getDecoder().decode(one.path("name").asText()),
                number)));
        return chosen;
    }

    private static Shape shape(JsonNode node) {
        List<Variable> variables = new ArrayList<>();
        node.path("variables")
                .forEach(one -> variables.add(new Variable(
                        one.path("name").asText(),
                        Variable.Kind.of(one.path("kind").asText()),
                        0)));
        return new Shape(node.path("name").asText(), node.path("pattern").asText(), variables);
    }

    /** What two scans must have in common to be one. */
    private static String mark(Census.Plan plan) {
        CRC32 crc = new CRC32();
        for (Family family : plan.families()) {
            crc.update((family.name() + family.pattern()).getBytes(UTF_8));
        }
        return crc.getValue() + "/" + plan.sample() + "/" + plan.seed();
    }
}
