package dev.hotstate.audit.schema;

import java.util.List;

/**
 * How names are built.
 *
 * @param convention parts in braces between separators, optional ones in brackets; {@code env} is one of the
 *     environments. A hash tag may stand among the parts of any convention
 * @param environments what {@code env} may be; any word if none is named
 */
public record Naming(String convention, List<String> environments) {
    /** That of document 001. */
    public static final Naming DEFAULT = new Naming("{env}:{app}:{entity}:{id}[:suffix]", List.of());

    public Naming {
        if (convention.isBlank()) {
            throw new IllegalArgumentException("convention must not be blank");
        }
        environments = List.copyOf(environments);
    }
}
