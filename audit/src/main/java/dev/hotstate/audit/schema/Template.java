package dev.hotstate.audit.schema;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What stands between two colons of a pattern: literals and variables, one after the other. */
public record Template(List<Part> parts) {
    /** Either of them. */
    public record Part(byte @Nullable [] literal, @Nullable Variable variable) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Part part
                    && Arrays.equals(literal, part.literal)
                    && Objects.equals(variable, part.variable);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(literal) * 31 + (variable == null ? 0 : variable.hashCode());
        }
    }

    public boolean isLiteral() {
        return parts.stream().allMatch(part -> part.variable() == null);
    }

    public boolean isRest() {
        return !parts.isEmpty()
                && parts.getLast().variable() instanceof Variable last
                && last.kind() == Variable.Kind.REST;
    }

    /** Of a literal one. */
    public byte[] word() {
        byte[] literal = parts.isEmpty() ? null : parts.getFirst().literal();
        return literal == null ? new byte[0] : literal;
    }

    public boolean admits(byte[] name, int from, int to) {
        return admits(0, name, from, to);
    }

    /** The greater, the less it admits: it is asked first. Literal bytes count, then how narrow its variables are. */
    public int weight() {
        int weight = 0;
        for (Part part : parts) {
            byte[] literal = part.literal();
            weight += literal != null ? literal.length * 16 : part.variable() instanceof Variable v ? narrow(v) : 0;
        }
        return weight;
    }

    private boolean admits(int at, byte[] name, int from, int to) {
        if (at == parts.size()) {
            return from == to;
        }
        Part part = parts.get(at);
        byte[] literal = part.literal();
        if (literal != null) {
            return startsWith(literal, name, from, to) && admits(at + 1, name, from + literal.length, to);
        }
        Variable variable = Objects.requireNonNull(part.variable());
        if (at == parts.size() - 1) {
            return Kinds.admits(variable, name, from, to);
        }
        byte[] next = Objects.requireNonNull(parts.get(at + 1).literal());
        // From the end: the last place where the literal behind it stands is nearly always the one.
        for (int end = to - next.length; end > from; end--) {
            if (startsWith(next, name, end, to)
                    && Kinds.admits(variable, name, from, end)
                    && admits(at + 1, name, end, to)) {
                return true;
            }
        }
        return false;
    }

    private static boolean startsWith(byte[] literal, byte[] name, int from, int to) {
        return to - from >= literal.length
                && Arrays.equals(literal, 0, literal.length, name, from, from + literal.length);
    }

    private static int narrow(Variable variable) {
        return switch (variable.kind()) {
            case UUID -> 7;
            case DIGITS -> 6;
            case HEX -> 5;
            case ID -> 4;
            case TEXT -> 3;
            case ANY -> 2;
            case REST -> 1;
        };
    }
}
