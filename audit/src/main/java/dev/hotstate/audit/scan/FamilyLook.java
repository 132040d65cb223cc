package dev.hotstate.audit.scan;

import dev.hotstate.audit.names.FieldNames;
import dev.hotstate.audit.report.KeyName;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Field;
import dev.hotstate.audit.schema.Lifetime;
import dev.hotstate.audit.schema.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the keys of one family that were looked at are like, held against what the family declares. */
public final class FamilyLook {
    /** Expiry is lazy, clocks differ by a little, and a TTL is set a moment before it is read. */
    private static final long SLACK_MILLIS = 1000;

    private static final int TTLS = 4096;

    /** Names of undeclared fields that are told apart; in a hash of ids each is another. */
    private static final int MOST_FIELDS = 20;

    private final @Nullable Family family;
    private final @Nullable FieldNames fieldNames;
    private final Map<String, Noted> types = new TreeMap<>();
    private final Map<String, Noted> unknownFields = new TreeMap<>();
    private final Map<String, Noted> missingFields = new TreeMap<>();
    private final Map<String, Long> seenFields = new TreeMap<>();
    private final Noted withoutTtl = new Noted();
    private final Noted withTtl = new Noted();
    private final Noted ttlTooLong = new Noted();
    private final Noted overBound = new Noted();
    private final Noted json = new Noted();
    private final Noted large = new Noted();
    private final Noted big = new Noted();
    private final Noted hot = new Noted();
    private final Spread memory = new Spread();
    private final long[] ttls = new long[TTLS];
    private long ttlMin = Long.MAX_VALUE;
    private long ttlMax = -1;
    private long looked;
    private long elements;
    private long largestBytes = -1;
    private String largestKey = "";

    FamilyLook(@Nullable Family family) {
        this.family = family;
        this.fieldNames =
                family == null || family.type() != Type.HASH || family.fields().isEmpty()
                        ? null
                        : new FieldNames(
                                family.fields().stream().map(Field::name).toList());
    }

    void add(Looked key) {
        if (key.isGone()) {
            return;
        }
        looked++;
        note(types.computeIfAbsent(key.type.isEmpty() ? "unknown" : key.type, type -> new Noted()), key);
        ttl(key);
        size(key);
        value(key);
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
        ttls[(int) ((withTtl.count() - 1) % TTLS)] = key.ttl;
        ttlMin = Math.min(ttlMin, key.ttl);
        ttlMax = Math.max(ttlMax, key.ttl);
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
            if (key.memory > largestBytes) {
                largestBytes = key.memory;
                largestKey = KeyName.shown(Arrays.copyOfRange(key.bytes, key.from, key.to));
            }
        }
        boolean counted = key.elements > 0 && !key.type.equals("string");
        elements = counted ? Math.max(elements, key.elements) : elements;
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
        if (key.type.equals("string") && key.elements > ValueFlaws.LARGE && !said && ValueFlaws.isText(key.beginning)) {
            note(large, key);
        }
        boolean document = false;
        for (Looked.FieldSeen field : key.fields) {
            field(key, field.name());
            document |= fieldNames == null && ValueFlaws.isJson(field.value());
        }
        if (document) {
            note(json, key);
        }
        key.missing.forEach(name -> note(missingFields.computeIfAbsent(name, one -> new Noted()), key));
    }

    private void field(Looked key, byte[] name) {
        if (fieldNames == null) {
            if (seenFields.size() < MOST_FIELDS * 10) {
                seenFields.merge(KeyName.shown(name), 1L, Long::sum);
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
        return seenFields;
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

    public long ttlMin() {
        return ttlMin;
    }

    /** -1 where none has one. */
    public long ttlMax() {
        return ttlMax;
    }

    public long ttlMedian() {
        List<Long> sorted = new ArrayList<>();
        for (int i = 0; i < Math.min(TTLS, withTtl.count()); i++) {
            sorted.add(ttls[i]);
        }
        sorted.sort(null);
        return sorted.isEmpty() ? -1 : sorted.get(sorted.size() / 2);
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
}
