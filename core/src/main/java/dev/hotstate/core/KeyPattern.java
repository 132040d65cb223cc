package dev.hotstate.core;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A family's pattern as its segments: what makes a key's name, knows it again, and tells two families apart. */
record KeyPattern(List<Segment> segments) {

    /** @throws IllegalArgumentException saying what is wrong with the pattern or with its variables */
    static KeyPattern parse(String pattern, Map<String, Segment> variables) {
        List<Segment> segments = new ArrayList<>();
        Set<String> used = new HashSet<>();
        for (String part : pattern.split(":", -1)) {
            boolean tag = part.startsWith("{") && part.endsWith("}");
            if (tag != segments.isEmpty()) {
                throw new IllegalArgumentException("it must begin with its one hash tag, as in {<partition>}:name");
            }
            Segment segment = segment(tag ? part.substring(1, part.length() - 1) : part, tag, variables);
            if (segment.variable() && !used.add(segment.word())) {
                throw new IllegalArgumentException("its variable <" + segment.word() + "> stands in it twice");
            }
            segments.add(segment);
        }
        for (String declared : variables.keySet()) {
            if (!used.contains(declared)) {
                throw new IllegalArgumentException("it declares <" + declared + ">, which is not in the pattern");
            }
        }
        if (segments.stream().allMatch(Segment::variable)) {
            throw new IllegalArgumentException("it has no word of its own to be called by");
        }
        return new KeyPattern(List.copyOf(segments));
    }

    /** @throws IllegalArgumentException naming the variable whose value is missing or does not fit */
    String name(String... values) {
        StringBuilder name = new StringBuilder(64);
        int next = 0;
        for (Segment segment : segments) {
            if (!name.isEmpty()) {
                name.append(':');
            }
            if (!segment.variable()) {
                name.append(segment);
            } else if (next == values.length) {
                throw new IllegalArgumentException(this + " needs a value for <" + segment.word() + ">");
            } else {
                name.append(segment.encode(values[next++]));
            }
        }
        if (next < values.length) {
            throw new IllegalArgumentException(this + " takes " + next + " values, not " + values.length);
        }
        return name.toString();
    }

    boolean matches(String name) {
        String[] parts = name.split(":", -1);
        if (parts.length != segments.size()) {
            return false;
        }
        for (int i = 0; i < parts.length; i++) {
            if (!segments.get(i).admits(parts[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether some name fits both patterns. */
    boolean overlaps(KeyPattern other) {
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

    /** Whether {@link #glob} also matches a name of the other pattern: a glob's {@code *} runs over colons. */
    boolean reaches(KeyPattern other) {
        return reaches(0, other, 0);
    }

    private boolean reaches(int mine, KeyPattern other, int theirs) {
        if (mine == segments.size()) {
            return theirs == other.segments.size();
        }
        if (theirs == other.segments.size()) {
            return false;
        }
        Segment segment = segments.get(mine);
        if (segment.tag() || !segment.variable()) {
            return segment.overlaps(other.segments.get(theirs)) && reaches(mine + 1, other, theirs + 1);
        }
        for (int after = theirs + 1; after <= other.segments.size(); after++) {
            if (reaches(mine + 1, other, after)) {
                return true;
            }
        }
        return false;
    }

    /** The pattern as a glob for ACL rules and SCAN: each variable is a {@code *}. Literals hold nothing special. */
    String glob() {
        return joined(segments.stream().map(segment -> segment.variable() ? segment.tag() ? "{*}" : "*" : segment));
    }

    /** The literal words, joined. */
    String words() {
        return joined(segments.stream().filter(segment -> !segment.variable()).map(Segment::word));
    }

    List<Segment> variables() {
        return segments.stream().filter(Segment::variable).toList();
    }

    /** The most bytes a name can have, without the environment's prefix. */
    int maxLength() {
        return segments.stream().mapToInt(Segment::maxLength).sum() + segments.size() - 1;
    }

    @Override
    public String toString() {
        return joined(segments.stream());
    }

    private static String joined(Stream<?> parts) {
        return parts.map(Object::toString).collect(Collectors.joining(":"));
    }

    private static Segment segment(String inner, boolean tag, Map<String, Segment> variables) {
        if (!inner.startsWith("<") || !inner.endsWith(">")) {
            if (inner.isEmpty()) {
                throw new IllegalArgumentException("it has an empty segment");
            }
            return Segment.literal(inner, tag);
        }
        String variable = inner.substring(1, inner.length() - 1);
        Segment declared = variables.get(variable);
        if (declared == null) {
            throw new IllegalArgumentException("its variable <" + variable + "> is not declared with id(…) or text(…)");
        }
        return new Segment(variable, true, tag, declared.maxBytes(), declared.text());
    }
}
