package dev.hotstate.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A declared kind of key: its pattern, Redis type, fields, lifetime, owner, an example and why it exists. Only a family
 * makes a {@link Key}, and only a key reaches Redis.
 *
 * <pre>{@code
 * static final KeyFamily STATUS = KeyFamily.hash("{<partition>}:monitor:status:<id>")
 *         .id("partition", 8).id("id", 64)
 *         .owner("monitors")
 *         .field("status_code", "the last answer's status")
 *         .expires(Duration.ofDays(1))
 *         .typically(6, 20)
 *         .example("{m0}:monitor:status:web-1")
 *         .why("the last outcome of a check, read by the dashboard")
 *         .declared();
 * }</pre>
 *
 * A pattern begins with its hash tag, so that what a script changes together shares a slot. The environment's prefix is
 * not part of it: {@link Keyspace} puts it in front of every key.
 */
public final class KeyFamily {
    private final RedisType type;
    private final List<Segment> segments;
    private final List<Field> fields;
    private final Lifetime lifetime;
    private final String owner;
    private final String example;
    private final String why;
    private final Typical typical;

    /** A field of a hash, or what stands as member and score, as element, as value. */
    public record Field(String name, String description) {}

    /** What a key of the family usually holds: so many elements of so many bytes (name and value together). */
    public record Typical(long elements, int elementBytes) {
        public Typical {
            if (elements < 1 || elementBytes < 1) {
                throw new IllegalArgumentException(
                        "a typical key has at least one element of one byte, not " + elements + " of " + elementBytes);
            }
        }
    }

    private KeyFamily(Builder declared) {
        this.type = declared.type;
        this.segments = declared.segments();
        this.fields = List.copyOf(declared.fields);
        this.lifetime = declared.need(declared.lifetime, "lifetime");
        this.owner = declared.need(declared.owner, "owner");
        this.example = declared.need(declared.example, "example");
        this.why = declared.need(declared.why, "why");
        this.typical = declared.need(declared.typical, "typical size");
        if (!matches(example)) {
            throw declared.refused("its example \"" + example + "\" does not fit the pattern");
        }
    }

    public static Builder string(String pattern) {
        return new Builder(RedisType.STRING, pattern);
    }

    public static Builder hash(String pattern) {
        return new Builder(RedisType.HASH, pattern);
    }

    public static Builder list(String pattern) {
        return new Builder(RedisType.LIST, pattern);
    }

    public static Builder set(String pattern) {
        return new Builder(RedisType.SET, pattern);
    }

    public static Builder zset(String pattern) {
        return new Builder(RedisType.ZSET, pattern);
    }

    public static Builder stream(String pattern) {
        return new Builder(RedisType.STREAM, pattern);
    }

    /**
     * The key with these values in the places of the pattern's variables, in order.
     *
     * @throws IllegalArgumentException naming the variable whose value does not fit
     */
    public Key of(String... values) {
        StringBuilder name = new StringBuilder(64);
        int next = 0;
        for (Segment segment : segments) {
            if (!name.isEmpty()) {
                name.append(':');
            }
            if (segment.variable() && next == values.length) {
                throw new IllegalArgumentException(this + " needs a value for <" + segment.word() + ">");
            }
            String value = segment.variable() ? segment.encode(values[next++]) : segment.word();
            if (segment.tag()) {
                name.append('{').append(value).append('}');
            } else {
                name.append(value);
            }
        }
        if (next < values.length) {
            throw new IllegalArgumentException(this + " takes " + next + " values, not " + values.length);
        }
        return new Key(this, name.toString());
    }

    /** The key of a family that has one key per partition, or whose first variable is its partition. */
    public Key of(Partition partition, String... values) {
        String[] all = new String[values.length + 1];
        all[0] = partition.tag();
        System.arraycopy(values, 0, all, 1, values.length);
        return of(all);
    }

    /** Whether a key's name, without the environment's prefix, is of this family. */
    boolean matches(String name) {
        return matches(name.split(":", -1));
    }

    boolean matches(String[] parts) {
        if (parts.length != segments.size()) {
            return false;
        }
        for (int i = 0; i < parts.length; i++) {
            Segment segment = segments.get(i);
            String part = parts[i];
            if (segment.tag()) {
                if (part.length() < 3 || part.charAt(0) != '{' || part.charAt(part.length() - 1) != '}') {
                    return false;
                }
                part = part.substring(1, part.length() - 1);
            }
            if (!segment.admits(part)) {
                return false;
            }
        }
        return true;
    }

    boolean overlaps(KeyFamily other) {
        if (segments.size() != other.segments.size()) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            if (!segments.get(i).overlaps(other.segments.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** The most bytes a name of this family can have, without the environment's prefix. */
    int maxLength() {
        return segments.stream().mapToInt(Segment::maxLength).sum() + segments.size() - 1;
    }

    int segmentCount() {
        return segments.size();
    }

    /** The pattern as a glob for ACL rules and SCAN: each variable is a {@code *}. */
    String glob() {
        return pattern().replaceAll("<[^>]*>", "*");
    }

    /** The literal words of the pattern: what people call the family. */
    public String name() {
        return String.join(
                ":",
                segments.stream()
                        .filter(segment -> !segment.variable())
                        .map(Segment::word)
                        .toList());
    }

    public String pattern() {
        return String.join(":", segments.stream().map(Segment::toString).toList());
    }

    public RedisType type() {
        return type;
    }

    public List<Field> fields() {
        return fields;
    }

    public Lifetime lifetime() {
        return lifetime;
    }

    public String owner() {
        return owner;
    }

    public String example() {
        return example;
    }

    public String why() {
        return why;
    }

    public Typical typical() {
        return typical;
    }

    @Override
    public String toString() {
        return pattern();
    }

    /** Declares a family; {@link #declared()} refuses an incomplete one. */
    public static final class Builder {
        private final RedisType type;
        private final String pattern;
        private final Map<String, Segment> variables = new HashMap<>();
        private final List<Field> fields = new ArrayList<>();
        private @Nullable Lifetime lifetime;
        private @Nullable String owner;
        private @Nullable String example;
        private @Nullable String why;
        private @Nullable Typical typical;

        private Builder(RedisType type, String pattern) {
            this.type = type;
            this.pattern = pattern;
        }

        /** A variable whose values are ids: {@code A-Z a-z 0-9 . _ -}, at most so many. */
        public Builder id(String variable, int maxBytes) {
            variables.put(variable, new Segment(variable, true, false, maxBytes, false));
            return this;
        }

        /** A variable of any text, percent-encoded in the key, at most so many bytes there. */
        public Builder text(String variable, int maxBytes) {
            variables.put(variable, new Segment(variable, true, false, maxBytes, true));
            return this;
        }

        public Builder owner(String service) {
            this.owner = service;
            return this;
        }

        public Builder field(String name, String description) {
            fields.add(new Field(name, description));
            return this;
        }

        public Builder expires(Duration ttl) {
            this.lifetime = new Lifetime.Expires(ttl);
            return this;
        }

        public Builder bounded(long count) {
            this.lifetime = new Lifetime.Bounded(count);
            return this;
        }

        public Builder kept(String reason) {
            this.lifetime = new Lifetime.Kept(reason);
            return this;
        }

        public Builder typically(long elements, int elementBytes) {
            this.typical = new Typical(elements, elementBytes);
            return this;
        }

        public Builder example(String name) {
            this.example = name;
            return this;
        }

        public Builder why(String reason) {
            this.why = reason;
            return this;
        }

        /** @throws IllegalArgumentException saying what is missing or wrong */
        public KeyFamily declared() {
            return new KeyFamily(this);
        }

        private List<Segment> segments() {
            List<Segment> segments = new ArrayList<>();
            for (String part : pattern.split(":", -1)) {
                boolean tag = part.startsWith("{") && part.endsWith("}");
                if (tag != segments.isEmpty()) {
                    throw refused("it must begin with its one hash tag, as in {<partition>}:name");
                }
                segments.add(segment(tag ? part.substring(1, part.length() - 1) : part, tag));
            }
            return List.copyOf(segments);
        }

        private Segment segment(String inner, boolean tag) {
            if (!inner.startsWith("<") || !inner.endsWith(">")) {
                if (inner.isEmpty()) {
                    throw refused("it has an empty segment");
                }
                return Segment.literal(inner, tag);
            }
            String variable = inner.substring(1, inner.length() - 1);
            Segment declared = variables.get(variable);
            if (declared == null) {
                throw refused("its variable <" + variable + "> is not declared with id(…) or text(…)");
            }
            return new Segment(variable, true, tag, declared.maxBytes(), declared.text());
        }

        private <T> T need(@Nullable T value, String what) {
            if (value == null) {
                throw refused("it has no " + what);
            }
            return value;
        }

        private IllegalArgumentException refused(String reason) {
            return new IllegalArgumentException("key family " + pattern + " is refused: " + reason);
        }
    }
}
