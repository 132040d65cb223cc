package dev.hotstate.audit.schema;

/**
 * How much a key holds; 0 where nothing is said.
 *
 * @param elements fields, members, elements or entries
 * @param elementBytes the bytes of one of them
 * @param bytes the whole key in memory
 */
public record Size(long elements, long elementBytes, long bytes) {
    public static final Size NONE = new Size(0, 0, 0);

    public Size {
        if (elements < 0 || elementBytes < 0 || bytes < 0) {
            throw new IllegalArgumentException("elements, element_bytes and bytes must not be negative: " + elements
                    + ", " + elementBytes + ", " + bytes);
        }
    }
}
