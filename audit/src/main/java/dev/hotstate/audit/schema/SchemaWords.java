package dev.hotstate.audit.schema;

import dev.hotstate.core.Durations;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Parts of a schema in a few words, as people compare them; nothing where nothing is said. */
final class SchemaWords {
    private SchemaWords() {}

    static String of(@Nullable Naming naming) {
        return naming == null
                ? ""
                : naming.convention()
                        + (naming.environments().isEmpty()
                                ? ""
                                : ", env " + String.join(" or ", naming.environments()));
    }

    static String of(Schema.User user) {
        return "of " + list(user.owners(), "nobody")
                + (user.commands().isEmpty() ? "" : ", and " + String.join(" ", user.commands()));
    }

    static String of(Lifetime lifetime) {
        return lifetime instanceof Lifetime.Expires expires && expires.usual() != null
                ? expires + ", usually " + Durations.print(expires.usual())
                : lifetime.toString();
    }

    static String of(List<Variable> variables) {
        return variables.stream()
                .map(variable -> "<" + variable.name() + "> " + variable.kind().word()
                        + (variable.maxBytes() == 0 ? "" : " of at most " + variable.maxBytes() + " bytes"))
                .collect(Collectors.joining(", "));
    }

    static String of(Field field) {
        return (field.required() ? "required" : "optional") + (field.mayBeJson() ? ", may be JSON" : "");
    }

    static String of(Size size) {
        List<String> parts = new ArrayList<>();
        add(parts, size.elements(), "elements");
        add(parts, size.elementBytes(), "bytes each");
        add(parts, size.bytes(), "bytes");
        return String.join(", ", parts);
    }

    static String of(Family.@Nullable Persistence persistence) {
        return persistence == null ? "" : persistence.name().toLowerCase(Locale.ROOT);
    }

    private static void add(List<String> parts, long number, String what) {
        if (number > 0) {
            parts.add(number + " " + what);
        }
    }

    private static String list(List<String> words, String none) {
        return words.isEmpty() ? none : String.join(", ", words);
    }
}
