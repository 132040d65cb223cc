package dev.hotstate.audit.scan;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.audit.names.Matcher;
import dev.hotstate.audit.names.Shape;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Naming;
import dev.hotstate.audit.schema.Pattern;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.Variable;
import dev.hotstate.audit.wire.Names;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Counts the names of one node by family: those of the schema, and for all others the shapes that they turn out to have.
 * For one thread.
 */
final class Census {
    private final Plan plan;
    private final int node;
    private final List<Tally> declared = new ArrayList<>();
    private final Discovery discovery;
    private final Noted foreign = new Noted();
    private final Noted retagged = new Noted();
    private final long[] slots;
    private final List<Looked> waiting = new ArrayList<>();
    private long keys;
    private long nameBytes;

    /** What is the same for all nodes. */
    record Plan(
            List<Family> families,
            Matcher matcher,
            Matcher withoutBraces,
            byte[] prefix,
            @Nullable Convention convention,
            int sample,
            long seed,
            boolean cluster) {
        static Plan of(@Nullable Schema schema, int sample, long seed, boolean cluster) {
            if (schema == null) {
                return new Plan(
                        List.of(),
                        new Matcher(List.of()),
                        new Matcher(List.of()),
                        new byte[0],
                        new Convention(Naming.DEFAULT),
                        sample,
                        seed,
                        cluster);
            }
            List<Pattern> patterns = schema.families().stream()
                    .map(family -> Pattern.parse(schema.wholePattern(family), family.variables()))
                    .toList();
            List<Pattern> bare = schema.families().stream()
                    .map(family ->
                            Pattern.parse(schema.wholePattern(family).replaceAll("[{}]", ""), family.variables()))
                    .toList();
            Naming naming = schema.naming();
            return new Plan(
                    schema.families(),
                    new Matcher(patterns),
                    new Matcher(bare),
                    schema.prefix().isEmpty() ? new byte[0] : (schema.prefix() + ":").getBytes(UTF_8),
                    naming == null ? null : new Convention(naming),
                    sample,
                    seed,
                    cluster);
        }
    }

    Census(Plan plan, int node) {
        this.plan = plan;
        this.node = node;
        this.discovery = new Discovery(plan);
        this.slots = plan.cluster ? new long[Slots.COUNT] : new long[0];
        plan.families.forEach(family -> declared.add(new Tally(plan.sample, family)));
    }

    void add(Names names) {
        byte[] bytes = names.bytes();
        for (int i = 0; i < names.count(); i++) {
            add(bytes, names.from(i), names.to(i));
        }
    }

    private void add(byte[] bytes, int from, int to) {
        long hash = NameHash.of(plan.seed, bytes, from, to);
        int family = plan.matcher.match(bytes, from, to);
        Tally tally = family == Matcher.NONE ? discovery.of(bytes, from, to) : declared.get(family);
        if (tally == null) {
            await(new Looked(Arrays.copyOfRange(bytes, from, to), 0, to - from, Matcher.NONE, hash));
        } else {
            count(tally, family, hash, bytes, from, to);
        }
    }

    /** A key that is to be looked at: of a declared family or not. */
    Looked toLookAt(byte[] bytes, int from, int to) {
        int family = plan.matcher.match(bytes, from, to);
        return new Looked(bytes, from, to, family, NameHash.of(plan.seed, bytes, from, to));
    }

    /** A key that was looked at, or one of which only the name was read. */
    void add(Looked key) {
        Tally tally = key.family == Matcher.NONE ? discovery.of(key.bytes, key.from, key.to) : declared.get(key.family);
        if (tally == null) {
            await(key);
        } else {
            count(tally, key.family, key.hash, key.bytes, key.from, key.to);
            if (key.begun) {
                tally.look().add(key);
            }
        }
    }

    private void await(Looked key) {
        waiting.add(key);
        if (waiting.size() >= Discovery.KEPT) {
            settle();
        }
    }

    /** Gives those that wait their places, however few they are. */
    void settle() {
        if (waiting.isEmpty()) {
            return;
        }
        discovery.draft(waiting.stream()
                .map(key -> Arrays.copyOfRange(key.bytes, key.from, key.to))
                .toList());
        List<Looked> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(this::add);
    }

    private void count(Tally tally, int family, long hash, byte[] bytes, int from, int to) {
        keys++;
        nameBytes += to - from;
        tally.add(hash, bytes, from, to, node);
        if (plan.cluster) {
            slots[Slots.of(bytes, from, to)]++;
        }
        if (plan.convention != null && !plan.convention.admits(bytes, from, to)) {
            tally.misname(hash, bytes, from, to);
        }
        if (family != Matcher.NONE) {
            return;
        }
        if (!startsWith(plan.prefix, bytes, from, to)) {
            foreign.note(hash, bytes, from, to);
        } else if (!plan.families.isEmpty() && isRetagged(bytes, from, to)) {
            retagged.note(hash, bytes, from, to);
        }
    }

    private boolean isRetagged(byte[] bytes, int from, int to) {
        byte[] bare = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] != '{' && bytes[i] != '}') {
                bare[length++] = bytes[i];
            }
        }
        return plan.withoutBraces.match(bare, 0, length) != Matcher.NONE;
    }

    private static boolean startsWith(byte[] prefix, byte[] bytes, int from, int to) {
        return to - from >= prefix.length && Arrays.equals(prefix, 0, prefix.length, bytes, from, from + prefix.length);
    }

    /** Those that wait are counted too. */
    long keys() {
        return keys + waiting.size();
    }

    /** Of those that were counted. */
    long nameBytes() {
        return nameBytes;
    }

    List<Tally> declared() {
        return declared;
    }

    Discovery discovery() {
        return discovery;
    }

    Noted foreign() {
        return foreign;
    }

    Noted retagged() {
        return retagged;
    }

    long[] slots() {
        return slots;
    }

    /** What has its place; those that wait are left out. */
    void write(ObjectNode json) {
        json.put("keys", keys).put("name_bytes", nameBytes);
        ArrayNode families = json.putArray("declared");
        declared.forEach(tally -> tally.write(families.addObject()));
        ArrayNode found = json.putArray("found");
        discovery.found().forEach(one -> {
            ObjectNode shape = found.addObject();
            write(one.shape(), shape);
            one.tally().write(shape);
        });
        foreign.write(json.putObject("foreign"));
        retagged.write(json.putObject("retagged"));
        ObjectNode counts = json.putObject("slots");
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] > 0) {
                counts.put(Integer.toString(i), slots[i]);
            }
        }
    }

    /** @throws IOException if a name is no base 64 */
    void read(JsonNode json) throws IOException {
        keys = json.path("keys").asLong();
        nameBytes = json.path("name_bytes").asLong();
        for (int i = 0; i < declared.size(); i++) {
            declared.get(i).read(json.path("declared").path(i), node);
        }
        List<Discovery.Found> found = new ArrayList<>();
        for (JsonNode one : json.path("found")) {
            Tally tally = new Tally(plan.sample, null);
            tally.read(one, node);
            found.add(new Discovery.Found(shape(one), tally));
        }
        discovery.restore(found);
        foreign.addAll(Noted.read(json.path("foreign")));
        retagged.addAll(Noted.read(json.path("retagged")));
        json.path("slots")
                .properties()
                .forEach(slot ->
                        slots[Integer.parseInt(slot.getKey())] = slot.getValue().asLong());
    }

    private static void write(Shape shape, ObjectNode json) {
        json.put("name", shape.name()).put("pattern", shape.pattern());
        ArrayNode variables = json.putArray("variables");
        shape.variables()
                .forEach(one -> variables
                        .addObject()
                        .put("name", one.name())
                        .put("kind", one.kind().word()));
    }

    private static Shape shape(JsonNode json) {
        List<Variable> variables = new ArrayList<>();
        json.path("variables")
                .forEach(one -> variables.add(new Variable(
                        one.path("name").asText(),
                        Variable.Kind.of(one.path("kind").asText()),
                        0)));
        return new Shape(json.path("name").asText(), json.path("pattern").asText(), variables);
    }

    /** Names that wait to be counted. */
    List<Looked> waiting() {
        return waiting;
    }
}
