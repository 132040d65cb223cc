package dev.hotstate.audit.scan;

import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Variable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A family and what was seen of it.
 *
 * @param name as declared; of others, their pattern
 * @param pattern whole, as a key has it
 * @param declared null where the schema does not have it
 */
public record SeenFamily(
        String name,
        String pattern,
        List<Variable> variables,
        @Nullable Family declared,
        Tally tally,
        FamilyLook look) {}
