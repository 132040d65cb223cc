package dev.hotstate.monitors.alert;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A text that is written and used, never read back: outside of this package it is three stars. */
public final class Secret {
    /** What is shown in its place. */
    public static final String MASK = "***";

    /** Whatever is stored already. */
    public static final Secret KEPT = new Secret(null);

    private final @Nullable String value;

    private Secret(@Nullable String value) {
        this.value = value;
    }

    /** The mask itself, sent back by somebody who was shown it, means {@link #KEPT}. */
    public static Secret of(String value) {
        return value.equals(MASK) ? KEPT : new Secret(value);
    }

    boolean isKept() {
        return value == null;
    }

    String reveal() {
        return Objects.requireNonNull(value, "a secret to be kept has no value before it is merged");
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Secret secret && Objects.equals(value, secret.value);
    }

    @Override
    public int hashCode() {
        return Objects.hashCode(value);
    }

    @Override
    @JsonValue
    public String toString() {
        return MASK;
    }
}
