package dev.hotstate.audit.schema;

/**
 * A field of a hash, or what stands as member, element or value.
 *
 * @param name as it is, or with {@code <variables>} in it
 * @param required whether each key must have it
 */
public record Field(String name, String description, boolean required) {
    public Field {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name must not be empty");
        }
    }

    public boolean isLiteral() {
        return !name.contains("<");
    }
}
