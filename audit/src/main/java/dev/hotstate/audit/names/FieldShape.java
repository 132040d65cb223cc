package dev.hotstate.audit.names;

import java.util.Set;
import java.util.stream.Collectors;

/** Whether the fields of a hash are names that somebody chose, or data: ids of something. */
public final class FieldShape {
    /** So many with a word in common are still chosen one by one. */
    private static final int FEW = 3;

    private FieldShape() {}

    public static boolean isData(Set<String> fields) {
        return !Words.ids(fields).isEmpty()
                || fields.stream().anyMatch(field -> field.contains("\\") || field.contains("<"))
                || areMembers(fields);
    }

    /** Whether many have the same word before a colon: {@code item:apple}, {@code item:pear}, and others to come. */
    private static boolean areMembers(Set<String> fields) {
        return fields.stream()
                .filter(field -> field.contains(":"))
                .collect(Collectors.groupingBy(field -> field.substring(0, field.indexOf(':')), Collectors.counting()))
                .values()
                .stream()
                .anyMatch(alike -> alike > FEW);
    }
}
