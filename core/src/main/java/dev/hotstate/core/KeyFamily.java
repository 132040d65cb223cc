package dev.hotstate.core;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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
    private final KeyPattern pattern;
    private final List<Field> fields;
    private final Lifetime lifetime;
    private final String owner;
    private final String example;
    private final String why;
    private final Typical typical;

    /** A field of a hash, or what stands as member and score, as element, as value. */
    public record Field(String name, String description) {
        public Field {
            if (name.isBlank() || description.isBlank()) {
                throw new IllegalArgumentException(
                        "a field needs a name and a description, not \"" + name + "\": \"" + description + "\"");
            }
        }
    }

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
        this.pattern = declared.parsed();
        this.fields = List.copyOf(declared.fields);
        this.lifetime = declared.need(declared.lifetime, "lifetime");
        this.owner = declared.needText(declared.owner, "owner");
        this.example = declared.needText(declared.example, "example");
        this.why = declared.needText(declared.why, "why");
        this.typical = declared.need(declared.typical, "typical size");
        if (!pattern.matches(example)) {
            throw declared.refused("its example \"" + example + "\" does not fit the pattern");
        }
        if (lifetime instanceof Lifetime.Bounded bounded && typical.elements() > bounded.count()) {
            throw declared.refused("typically it has " + typical.elements() + " elements, but it is " + lifetime);
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
        return new Key(this, pattern.name(values));
    }

    /** The key of a family that has one key per partition, or whose first variable is its partition. */
    public Key of(Partition partition, String... values) {
        String[] all = new String[values.length + 1];
        all[0] = partition.tag();
        System.arraycopy(values, 0, all, 1, values.length);
        return of(all);
    }

    boolean overlaps(KeyFamily other) {
        return pattern.overlaps(other.pattern);
    }

    /** Whether an ACL rule for this family lets its user touch keys of the other one as well. */
    boolean reaches(KeyFamily other) {
        return pattern.reaches(other.pattern);
    }

    /** The most bytes a name of this family can have, without the environment's prefix. */
    int maxLength() {
        return pattern.maxLength();
    }

    List<Segment> segments() {
        return pattern.segments();
    }

    List<Segment> variables() {
        return pattern.variables();
    }

    /** The pattern as a glob for ACL rules and SCAN: each variable is a {@code *}. */
    String glob() {
        return pattern.glob();
    }

    /** The literal words of the pattern: what people call the family. No other of its keyspace is called the same. */
    public String name() {
        return pattern.words();
    }

    public String pattern() {
        return pattern.toString();
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
        private static final Pattern VARIABLE = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

        private final RedisType type;
        private final String pattern;
        private final Map<String, Segment> variables = new LinkedHashMap<>();
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
            return variable(variable, maxBytes, false);
        }

        /** A variable of any text, percent-encoded in the key, at most so many bytes there. */
        public Builder text(String variable, int maxBytes) {
            return variable(variable, maxBytes, true);
        }

        public Builder owner(String service) {
            this.owner = service;
            return this;
        }

        public Builder field(String name, String description) {
            if (fields.stream().anyMatch(field -> field.name().equals(name))) {
                throw refused("it has the field " + name + " twice");
            }
            fields.add(new Field(name, description));
            return this;
        }

        public Builder expires(Duration ttl) {
            return lifetime(new Lifetime.Expires(ttl));
        }

        public Builder bounded(long count) {
            return lifetime(new Lifetime.Bounded(count));
        }

        public Builder kept(String reason) {
            return lifetime(new Lifetime.Kept(reason));
        }

        /** @param ttl from when what it describes has ended */
        public Builder keptThenExpires(String reason, Duration ttl) {
            return lifetime(new Lifetime.Ends(reason, ttl));
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

        private Builder variable(String variable, int maxBytes, boolean text) {
            if (!VARIABLE.matcher(variable).matches()) {
                throw refused("\"" + variable + "\" is no name for a variable");
            }
            if (maxBytes < 1 || maxBytes > Keyspace.MAX_KEY_BYTES) {
                throw refused("<" + variable + "> may have 1 to " + Keyspace.MAX_KEY_BYTES + " bytes, not " + maxBytes);
            }
            if (variables.put(variable, new Segment(variable, true, false, maxBytes, text)) != null) {
                throw refused("it declares <" + variable + "> twice");
            }
            return this;
        }

        private Builder lifetime(Lifetime chosen) {
            if (lifetime != null) {
                throw refused("it has two lifetimes: " + lifetime + ", and " + chosen);
            }
            this.lifetime = chosen;
            return this;
        }

        private KeyPattern parsed() {
            try {
                return KeyPattern.parse(pattern, variables);
            } catch (IllegalArgumentException wrong) {
                throw refused(wrong.getMessage());
            }
        }

        private <T> T need(@Nullable T value, String what) {
            if (value == null) {
                throw refused("it has no " + what);
            }
            return value;
        }

        private String needText(@Nullable String value, String what) {
            if (need(value, what).isBlank()) {
                throw refused("it has no " + what);
            }
            return need(value, what);
        }

        private IllegalArgumentException refused(@Nullable String reason) {
            return new IllegalArgumentException("key family " + pattern + " is refused: " + reason);
        }
    }
}
