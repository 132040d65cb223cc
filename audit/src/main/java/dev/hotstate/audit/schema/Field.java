package dev.hotstate.audit.schema;

/**
 * A field of a hash, or what stands as member, element or value.
 *
 * @param name as it is, or with {@code <variables>} in it
 * @param required whether each key must have it
 * @param json whether it may hold a document
 */
public record Field(String name, String description, boolean required, boolean json) {
    public Field {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name must not be empty");
        }
    }

    public Field(String name, String description, boolean required) {
        this(name, description, required, false);
    }

    /** Whether JSON in it is meant: it says so, or somebody has described what it holds. */
    public boolean mayBeJson() {
        return json || !description.isEmpty();
    }

    public boolean isLiteral() {
        return !name.contains("<");
    }
}
