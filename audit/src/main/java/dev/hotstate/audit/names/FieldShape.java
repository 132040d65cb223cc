package dev.hotstate.audit.names;

import java.util.Set;

/** Whether the fields of a hash are names that somebody chose, or data: ids of something. */
public final class FieldShape {
    private FieldShape() {}

    public static boolean isData(Set<String> fields) {
        return !Words.ids(fields).isEmpty()
                || fields.stream()
                        .anyMatch(field -> field.contains("\\") || field.contains(":") || field.contains("<"));
    }
}
