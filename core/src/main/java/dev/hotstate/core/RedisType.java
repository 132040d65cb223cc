package dev.hotstate.core;

import java.util.Locale;

/** The Redis type of a key family; a GEO set is a {@link #ZSET}. */
public enum RedisType {
    STRING,
    HASH,
    LIST,
    SET,
    ZSET,
    STREAM;

    /** The word that {@code TYPE} answers. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
