package dev.hotstate.audit.names;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.audit.schema.Pattern;
import dev.hotstate.audit.schema.Template;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The names that the fields of a hash may have: as they are, several of them between spaces, or with variables in them. */
public final class FieldNames {
    private final Set<String> literals = new HashSet<>();
    private final List<Template> templates = new ArrayList<>();

    /** @throws IllegalArgumentException if one cannot be read */
    public FieldNames(List<String> names) {
        for (String name : names) {
            if (name.contains("<")) {
                templates.add(Pattern.template(name));
            } else {
                literals.add(name);
                literals.addAll(List.of(name.split(" ")));
            }
        }
    }

    public boolean admits(byte[] name) {
        if (literals.contains(new String(name, UTF_8))) {
            return true;
        }
        for (Template template : templates) {
            if (template.admits(name, 0, name.length)) {
                return true;
            }
        }
        return false;
    }
}
