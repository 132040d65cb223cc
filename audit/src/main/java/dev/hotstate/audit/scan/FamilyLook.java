package dev.hotstate.audit.scan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.audit.names.FieldNames;
import dev.hotstate.audit.report.KeyName;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Field;
import dev.hotstate.audit.schema.Lifetime;
import dev.hotstate.audit.schema.Type;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the keys of one family that were looked at are like, held against what the family declares. */
public final class FamilyLook {
    /** Expiry is lazy, clocks differ by a little, and a TTL is set a moment before it is read. */
    private static final long SLACK_MILLIS = 1000;

    /** Names of undeclared fields that are told apart; in a hash of ids each is another. */
    private static final int MOST_FIELDS = 20;

    /** Blocks of an allocator are multiples of this; Redis's own build has finer ones. */
    private static final int COARSE = 16;

    /** What MEMORY USAGE counts for an entry of the main table. */
    private static final int ENTRY = 24;

    private final @Nullable Family family;
    private final @Nullable FieldNames fieldNames;
    private final FieldNames documents;
    private final Map<String, Noted> types = new TreeMap<>();
    private final Map<String, Noted> unknownFields = new TreeMap<>();
    private final Map<String, Noted> missingFields = new TreeMap<>();
    private final Map<FieldName, Long> seenFields = new HashMap<>();
    private final Noted withoutTtl = new Noted();
    private final Noted withTtl = new Noted();
    private final Noted ttlTooLong = new Noted();
    private final Noted overBound = new Noted();
    private final Noted json = new Noted();
    private final Noted large = new Noted();
    private final Noted big = new Noted();
    private final Noted hot = new Noted();
    private final Spread memory = new Spread();
    private final Spread counts = new Spread();
    private final Ttls ttls = new Ttls();
    private long looked;
    private long elements;
    private boolean finelySized;
    private long largestBytes = -1;
    private String largestKey = "";

    /** Bytes that are equal where they are the same. */
    private record FieldName(byte[] bytes) {
        @Override
        public boolean equals(Object other) {
            return other instanceof FieldName name && Arrays.equals(bytes, name.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    FamilyLook(@Nullable Family family) {
        this.family = family;
        this.fieldNames =
                family == null || family.type() != Type.HASH || family.fields().isEmpty()
                        ? null
                        : new FieldNames(
                                family.fields().stream().map(Field::name).toList());
        this.documents = new FieldNames(documents(family));
    }

    private static List<String> documents(@Nullable Family family) {
        return family == null
                ? List.of()
                : family.fields().stream()
                        .filter(Field::mayBeJson)
                        .map(Field::name)
                        .toList();
    }

    void add(Looked key) {
        if (key.isGone() || key.refused) {
            return;
        }
        looked++;
        note(types.computeIfAbsent(key.type.isEmpty() ? "unknown" : key.type, type -> new Noted()), key);
        ttl(key);
        size(key);
        value(key);
    }

    /** What another node, or another scan, has seen of the same family. */
    void addAll(FamilyLook other) {
        looked += other.looked;
        addAll(types, other.types);
        addAll(unknownFields, other.unknownFields);
        addAll(missingFields, other.missingFields);
        other.seenFields.forEach((name, count) -> seenFields.merge(name, count, Long::sum));
        List<Noted> others = other.noted();
        for (int i = 0; i < others.size(); i++) {
            noted().get(i).addAll(others.get(i));
        }
        memory.addAll(other.memory);
        counts.addAll(other.counts);
        ttls.addAll(other.ttls);
        elements = Math.max(elements, other.elements);
        finelySized |= other.finelySized;
        if (other.largestBytes > largestBytes) {
            largestBytes = other.largestBytes;
            largestKey = other.largestKey;
        }
    }

    private static void addAll(Map<String, Noted> some, Map<String, Noted> others) {
        others.forEach(
                (what, noted) -> some.computeIfAbsent(what, one -> new Noted()).addAll(noted));
    }

    private List<Noted> noted() {
        return List.of(withoutTtl, withTtl, ttlTooLong, overBound, json, large, big, hot);
    }

    private void ttl(Looked key) {
        if (key.ttl == Looked.UNKNOWN) {
            return;
        }
        if (key.ttl == Looked.NO_TTL) {
            note(withoutTtl, key);
            return;
        }
        note(withTtl, key);
        ttls.add(key.ttl);
        if (family != null && key.ttl > longest(family.lifetime())) {
            note(ttlTooLong, key);
        }
    }

    private static long longest(Lifetime lifetime) {
        return switch (lifetime) {
            case Lifetime.Expires expires -> expires.ttl().toMillis() + SLACK_MILLIS;
            case Lifetime.Ends ends -> ends.ttl().toMillis() + SLACK_MILLIS;
            default -> Long.MAX_VALUE;
        };
    }

    private void size(Looked key) {
        if (key.memory >= 0) {
            memory.add(key.memory);
            finelySized |= key.type.equals("string") && key.memory % COARSE != ENTRY % COARSE;
            if (key.memory > largestBytes) {
                largestBytes = key.memory;
                largestKey = KeyName.shown(Arrays.copyOfRange(key.bytes, key.from, key.to));
            }
        }
        boolean counted = key.elements > 0 && !key.type.equals("string");
        elements = counted ? Math.max(elements, key.elements) : elements;
        if (counted) {
            counts.add(key.elements);
        }
        long count = counted ? key.elements : 0;
        if (isOverBound(count, key.memory)) {
            note(overBound, key);
        } else if (isBig(count, key.memory)) {
            note(big, key);
        }
        if (key.frequency >= ValueFlaws.HOT) {
            note(hot, key);
        }
    }

    private boolean isOverBound(long count, long bytes) {
        if (family == null) {
            return false;
        }
        long bound = family.lifetime() instanceof Lifetime.Bounded bounded ? bounded.count() : Long.MAX_VALUE;
        long most = family.max().elements() > 0 ? family.max().elements() : Long.MAX_VALUE;
        long mostBytes = family.max().bytes() > 0 ? family.max().bytes() : Long.MAX_VALUE;
        return count > Math.min(bound, most) || bytes > mostBytes;
    }

    /** A family that says how large its keys usually are is believed, up to ten times of it. */
    private boolean isBig(long count, long bytes) {
        long usualBytes = family == null
                ? 0
                : Math.max(family.typical().bytes() * 10, family.max().bytes());
        long usualCount = family == null
                ? 0
                : Math.max(family.typical().elements() * 10, family.max().elements());
        if (family != null && family.lifetime() instanceof Lifetime.Bounded bounded) {
            usualCount = Math.max(usualCount, bounded.count());
            usualBytes = Math.max(
                    usualBytes, bounded.count() * Math.max(1, family.typical().elementBytes()) * 4);
        }
        return bytes >= Math.max(ValueFlaws.BIG_BYTES, usualBytes)
                || count >= Math.max(ValueFlaws.BIG_ELEMENTS, usualCount);
    }

    private void value(Looked key) {
        boolean said = family != null
                && Math.max(family.typical().bytes(), family.typical().elementBytes()) > ValueFlaws.LARGE;
        boolean text = key.type.equals("string") && key.elements > ValueFlaws.LARGE && ValueFlaws.isText(key.beginning);
        boolean document = false;
        for (Looked.FieldSeen field : key.fields) {
            field(key, field.name());
            document |= ValueFlaws.isJson(field.value()) && !documents.admits(field.name());
            text |= field.value().length > ValueFlaws.LARGE && ValueFlaws.isText(field.value());
        }
        if (document) {
            note(json, key);
        }
        if (text && !said) {
            note(large, key);
        }
        key.missing.forEach(name -> note(missingFields.computeIfAbsent(name, one -> new Noted()), key));
    }

    private void field(Looked key, byte[] name) {
        if (fieldNames == null) {
            if (seenFields.size() < MOST_FIELDS * 10) {
                seenFields.merge(new FieldName(name), 1L, Long::sum);
            }
        } else if (!fieldNames.admits(name)) {
            String shown = unknownFields.size() < MOST_FIELDS ? KeyName.shown(name) : "…";
            note(unknownFields.computeIfAbsent(shown, one -> new Noted()), key);
        }
    }

    private static void note(Noted noted, Looked key) {
        noted.note(key.hash, key.bytes, key.from, key.to);
    }

    /** Keys that were looked at and were still there. */
    public long looked() {
        return looked;
    }

    public Map<String, Noted> types() {
        return types;
    }

    /** Fields that the family does not declare. */
    public Map<String, Noted> unknownFields() {
        return unknownFields;
    }

    public Map<String, Noted> missingFields() {
        return missingFields;
    }

    /** How often which field was there, where the family declares none. */
    public Map<String, Long> seenFields() {
        Map<String, Long> shown = new TreeMap<>();
        seenFields.forEach((name, count) -> shown.merge(KeyName.shown(name.bytes), count, Long::sum));
        return shown;
    }

    public Noted withoutTtl() {
        return withoutTtl;
    }

    public Noted withTtl() {
        return withTtl;
    }

    public Noted ttlTooLong() {
        return ttlTooLong;
    }

    public Noted overBound() {
        return overBound;
    }

    public Noted json() {
        return json;
    }

    public Noted large() {
        return large;
    }

    public Noted big() {
        return big;
    }

    public Noted hot() {
        return hot;
    }

    public Spread memory() {
        return memory;
    }

    /** Elements of the collections that were counted. */
    public Spread counts() {
        return counts;
    }

    public long ttlMin() {
        return ttls.least();
    }

    /** -1 where none has one. */
    public long ttlMax() {
        return ttls.most();
    }

    /** Within 2 % of it. */
    public long ttlMedian() {
        return ttls.median();
    }

    /** Whether some string has a size that an allocator of coarse blocks does not give. */
    public boolean finelySized() {
        return finelySized;
    }

    public long elements() {
        return elements;
    }

    /** -1 where sizes were not to be had. */
    public long largestBytes() {
        return largestBytes;
    }

    public String largestKey() {
        return largestKey;
    }

    void write(ObjectNode node) {
        node.put("looked", looked);
        write(node.putObject("types"), types);
        write(node.putObject("unknown_fields"), unknownFields);
        write(node.putObject("missing_fields"), missingFields);
        ArrayNode fields = node.putArray("fields");
        seenFields.forEach(
                (name, count) -> fields.addObject().put("name", name.bytes).put("count", count));
        ArrayNode all = node.putArray("noted");
        noted().forEach(one -> one.write(all.addObject()));
        memory.write(node.putObject("memory"));
        counts.write(node.putObject("counts"));
        ttls.write(node.putObject("ttls"));
        node.put("elements", elements).put("finely_sized", finelySized);
        node.put("largest_bytes", largestBytes).put("largest_key", largestKey);
    }

    private static void write(ObjectNode node, Map<String, Noted> all) {
        all.forEach((what, noted) -> noted.write(node.putObject(what)));
    }

    /** @throws IOException if a name is no base 64 */
    static FamilyLook read(JsonNode node, @Nullable Family family) throws IOException {
        FamilyLook look = new FamilyLook(family);
        look.looked = node.path("looked").asLong();
        read(node.path("types"), look.types);
        read(node.path("unknown_fields"), look.unknownFields);
        read(node.path("missing_fields"), look.missingFields);
        for (JsonNode field : node.path("fields")) {
            look.seenFields.put(
                    new FieldName(field.path("name").binaryValue()),
                    field.path("count").asLong());
        }
        for (int i = 0; i < look.noted().size(); i++) {
            look.noted().get(i).addAll(Noted.read(node.path("noted").path(i)));
        }
        look.memory.addAll(Spread.read(node.path("memory")));
        look.counts.addAll(Spread.read(node.path("counts")));
        look.ttls.addAll(Ttls.read(node.path("ttls")));
        look.elements = node.path("elements").asLong();
        look.finelySized = node.path("finely_sized").asBoolean();
        look.largestBytes = node.path("largest_bytes").asLong(-1);
        look.largestKey = node.path("largest_key").asText();
        return look;
    }

    private static void read(JsonNode node, Map<String, Noted> into) throws IOException {
        for (Map.Entry<String, JsonNode> one : node.properties()) {
            into.put(one.getKey(), Noted.read(one.getValue()));
        }
    }
}
