package dev.hotstate.audit.names;

import dev.hotstate.audit.schema.Pattern;
import dev.hotstate.audit.schema.Variable;
import java.util.List;

/**
 * A pattern that many names were seen to have.
 *
 * @param name its literal words, or {@code keys} where it has none
 */
public record Shape(String name, String pattern, List<Variable> variables) {
    public Pattern parsed() {
        return Pattern.parse(pattern, variables);
    }
}
