package dev.hotstate.audit.scan;

import java.util.ArrayList;
import java.util.List;

/** What was read of one key; filled by {@link Looker} and folded into its family's {@link FamilyLook}. */
final class Looked {
    static final long UNKNOWN = Long.MIN_VALUE;
    static final long NO_TTL = -1;

    final byte[] bytes;
    final int from;
    final int to;
    final int family;
    final long hash;
    String type = "";
    long ttl = UNKNOWN;
    long memory = UNKNOWN;
    long frequency = UNKNOWN;
    long elements = UNKNOWN;
    byte[] beginning = {};
    List<FieldSeen> fields = List.of();
    List<String> missing = List.of();

    /** Whether the server would say nothing of it. */
    boolean refused;

    /** Whether what every key is asked was answered. */
    boolean begun;

    /** A field of a hash; its value is empty where it was not read. */
    record FieldSeen(byte[] name, byte[] value) {}

    /** @param family its place among those that are declared, or a number of none */
    Looked(byte[] bytes, int from, int to, int family, long hash) {
        this.bytes = bytes;
        this.from = from;
        this.to = to;
        this.family = family;
        this.hash = hash;
    }

    void field(byte[] name, byte[] value) {
        if (fields.isEmpty()) {
            fields = new ArrayList<>();
        }
        fields.add(new FieldSeen(name, value));
    }

    void misses(String field) {
        if (missing.isEmpty()) {
            missing = new ArrayList<>();
        }
        missing.add(field);
    }

    boolean isGone() {
        return type.equals("none") || ttl == -2;
    }
}
