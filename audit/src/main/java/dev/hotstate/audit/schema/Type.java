package dev.hotstate.audit.schema;

import java.util.Locale;

/** What {@code TYPE} answers for a family's keys; a GEO set is a {@link #ZSET}, what a module brings is {@link #OTHER}. */
public enum Type {
    STRING,
    HASH,
    LIST,
    SET,
    ZSET,
    STREAM,
    OTHER,
    /** The family says nothing about it. */
    ANY;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of what {@code TYPE} answered. */
    public static Type answered(String word) {
        for (Type type : values()) {
            if (type.word().equals(word)) {
                return type;
            }
        }
        return OTHER;
    }

    /** @throws IllegalArgumentException naming the word that is none */
    public static Type declared(String word) {
        for (Type type : values()) {
            if (type.word().equals(word)) {
                return type;
            }
        }
        throw new IllegalArgumentException(
                "type must be string, hash, list, set, zset, stream, other or any, not \"" + word + "\"");
    }
}
