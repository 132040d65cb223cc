package dev.hotstate.audit.schema;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One map of a document, read field by field; what is wrong is noted with its path and line. */
final class YamlMap {
    private final Flaws flaws;
    private final String place;
    private final int line;
    private final Map<String, YamlTree> fields;

    private YamlMap(Flaws flaws, String place, int line, Map<String, YamlTree> fields) {
        this.flaws = flaws;
        this.place = place;
        this.line = line;
        this.fields = fields;
    }

    /** @param known the fields that it may have */
    static YamlMap of(Flaws flaws, String place, YamlTree tree, Set<String> known) {
        Map<String, YamlTree> fields = tree.map();
        if (fields == null) {
            flaws.add(new Flaw(place.isEmpty() ? "schema" : place, "must be a map (line " + tree.line() + ")"));
            return new YamlMap(flaws, place, tree.line(), Map.of());
        }
        YamlMap map = new YamlMap(flaws, place, tree.line(), fields);
        fields.forEach((name, value) -> {
            if (!known.contains(name)) {
                map.wrong(
                        name,
                        "is not known; it may be "
                                + String.join(", ", known.stream().sorted().toList()));
            }
        });
        return map;
    }

    boolean has(String name) {
        YamlTree tree = fields.get(name);
        return tree != null && tree.value() != null;
    }

    @Nullable
    YamlTree tree(String name) {
        return has(name) ? fields.get(name) : null;
    }

    String text(String name, String otherwise) {
        YamlTree tree = tree(name);
        if (tree == null) {
            return otherwise;
        }
        String text = tree.text();
        if (text == null) {
            wrong(name, "must be a text");
        }
        return text == null ? otherwise : text;
    }

    String need(String name) {
        if (!has(name)) {
            wrong(name, "is missing");
        }
        return text(name, "");
    }

    long whole(String name) {
        String text = text(name, "0");
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException none) {
            wrong(name, "must be a whole number, not \"" + text + "\"");
            return 0;
        }
    }

    boolean flag(String name) {
        String text = text(name, "false");
        if (!text.equals("true") && !text.equals("false")) {
            wrong(name, "must be true or false, not \"" + text + "\"");
        }
        return text.equals("true");
    }

    /** The items of a list, each with its path. */
    <T> List<T> list(String name, BiFunction<String, YamlTree, @Nullable T> item) {
        YamlTree tree = tree(name);
        List<YamlTree> items = tree == null ? List.of() : tree.list();
        if (items == null) {
            wrong(name, "must be a list");
            return List.of();
        }
        List<T> read = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            T value = item.apply(path(name) + "[" + i + "]", items.get(i));
            if (value != null) {
                read.add(value);
            }
        }
        return read;
    }

    List<String> texts(String name) {
        return list(name, (place, tree) -> {
            if (tree.text() == null) {
                flaws.add(new Flaw(place, "must be a text (line " + tree.line() + ")"));
            }
            return tree.text();
        });
    }

    /** A value that refuses what it cannot be, or null. */
    <T> @Nullable T value(String name, Function<String, T> of, String text) {
        try {
            return of.apply(text);
        } catch (IllegalArgumentException refused) {
            wrong(name, String.valueOf(refused.getMessage()).replaceFirst("^" + name + ":? ", ""));
            return null;
        }
    }

    void wrong(String name, String message) {
        YamlTree tree = fields.get(name);
        flaws.add(new Flaw(path(name), message + " (line " + (tree == null ? line : tree.line()) + ")"));
    }

    String path(String name) {
        return place.isEmpty() ? name : place + "." + name;
    }

    int line() {
        return line;
    }
}
