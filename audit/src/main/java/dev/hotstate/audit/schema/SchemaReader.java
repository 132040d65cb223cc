package dev.hotstate.audit.schema;

import dev.hotstate.core.Durations;
import dev.hotstate.core.Flaw;
import dev.hotstate.core.Flaws;
import dev.hotstate.core.InvalidDocumentException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads a schema file. Everything that is wrong with it is told at once, with the field's path and its line. */
public final class SchemaReader {
    private static final Set<String> SCHEMA = Set.of("version", "prefix", "naming", "families", "users");
    private static final Set<String> NAMING = Set.of("convention", "environments");
    private static final Set<String> USER = Set.of("name", "owners", "commands");
    private static final Set<String> FAMILY = Set.of(
            "name",
            "pattern",
            "type",
            "owner",
            "tag",
            "variables",
            "fields",
            "lifetime",
            "limits",
            "max",
            "persistence",
            "acl",
            "example",
            "why");
    private static final Set<String> VARIABLE = Set.of("name", "kind", "max_bytes");
    private static final Set<String> FIELD = Set.of("name", "description", "required", "json");
    private static final Set<String> LIFETIME = Set.of("kind", "ttl", "usual", "count", "reason");
    private static final Set<String> SIZE = Set.of("elements", "element_bytes", "bytes");

    private final Flaws flaws = new Flaws();

    private SchemaReader() {}

    /** @throws InvalidDocumentException telling each field that is wrong */
    public static Schema read(String yaml) {
        return new SchemaReader().schema(yaml);
    }

    private Schema schema(String yaml) {
        YamlTree tree = flaws.value("schema:", () -> YamlTree.parse(yaml));
        flaws.refuse();
        YamlMap map = YamlMap.of(flaws, "", Objects.requireNonNull(tree), SCHEMA);
        if (tree.map() == null) {
            flaws.refuse();
        }
        String version = map.need("version");
        if (map.has("version") && !version.equals(Integer.toString(Schema.VERSION))) {
            map.wrong("version", "must be " + Schema.VERSION + ", not " + version);
        }
        Naming naming = naming(map);
        List<Schema.User> users = map.list("users", this::user);
        if (!map.has("families")) {
            map.wrong("families", "is missing");
        }
        List<Family> families = map.list("families", this::family);
        Set<String> names = new HashSet<>();
        families.stream()
                .filter(family -> !names.add(family.name()))
                .forEach(twice -> map.wrong("families", "has the name \"" + twice.name() + "\" twice"));
        flaws.refuse();
        return new Schema(map.text("prefix", ""), naming, families, users);
    }

    private @Nullable Naming naming(YamlMap map) {
        YamlTree tree = map.tree("naming");
        if (tree == null) {
            return null;
        }
        String convention = tree.text();
        if (convention != null) {
            return map.value("naming", text -> new Naming(text, List.of()), convention);
        }
        YamlMap naming = YamlMap.of(flaws, "naming", tree, NAMING);
        String text = naming.text("convention", Naming.DEFAULT.convention());
        return naming.value("convention", one -> new Naming(one, naming.texts("environments")), text);
    }

    private Schema.@Nullable User user(String place, YamlTree tree) {
        YamlMap map = YamlMap.of(flaws, place, tree, USER);
        return map.value(
                "name", name -> new Schema.User(name, map.texts("owners"), map.texts("commands")), map.need("name"));
    }

    private @Nullable Family family(String place, YamlTree tree) {
        YamlMap map = YamlMap.of(flaws, place, tree, FAMILY);
        String name = map.need("name");
        String pattern = map.need("pattern");
        Type type = map.value("type", Type::declared, map.need("type"));
        List<Variable> variables = map.list("variables", this::variable);
        if (map.has("pattern")) {
            map.value("pattern", text -> Pattern.parse(text, variables), pattern);
        }
        Lifetime lifetime = lifetime(map);
        Family.Persistence persistence = map.has("persistence")
                ? map.value("persistence", SchemaReader::persistence, map.text("persistence", ""))
                : null;
        List<Field> fields = map.list("fields", this::field);
        Size typical = size(map, "limits");
        Size max = size(map, "max");
        List<String> acl = map.texts("acl");
        if (name.isBlank() || !map.has("pattern") || type == null || lifetime == null) {
            return null;
        }
        Family family = new Family(
                name,
                pattern,
                type,
                map.text("owner", ""),
                variables,
                fields,
                lifetime,
                typical,
                max,
                persistence,
                acl,
                map.text("example", ""),
                map.text("why", ""));
        String tag = map.text("tag", family.tag());
        if (!tag.equals(family.tag())) {
            map.wrong("tag", "is \"" + tag + "\", but the pattern's is \"" + family.tag() + "\"");
        }
        return family;
    }

    private @Nullable Variable variable(String place, YamlTree tree) {
        YamlMap map = YamlMap.of(flaws, place, tree, VARIABLE);
        Variable.Kind kind = map.value("kind", Variable.Kind::of, map.text("kind", "any"));
        int most = (int) Math.min(Integer.MAX_VALUE, map.whole("max_bytes"));
        return kind == null ? null : map.value("name", name -> new Variable(name, kind, most), map.need("name"));
    }

    private @Nullable Field field(String place, YamlTree tree) {
        String name = tree.text();
        if (name != null) {
            return new Field(name, "", false);
        }
        YamlMap map = YamlMap.of(flaws, place, tree, FIELD);
        return map.value(
                "name",
                text -> new Field(text, map.text("description", ""), map.flag("required"), map.flag("json")),
                map.need("name"));
    }

    /** A map, or {@code any}. */
    private static @Nullable Lifetime expires(YamlMap map) {
        Lifetime.Expires most = map.value("ttl", ttl -> new Lifetime.Expires(Durations.parse(ttl)), map.need("ttl"));
        return most == null || !map.has("usual")
                ? most
                : map.value(
                        "usual",
                        usual -> new Lifetime.Expires(most.ttl(), Durations.parse(usual)),
                        map.text("usual", ""));
    }

    private @Nullable Lifetime lifetime(YamlMap family) {
        YamlTree tree = family.tree("lifetime");
        if (tree == null) {
            family.wrong("lifetime", "is missing; it may be {kind: any}");
            return null;
        }
        if ("any".equals(tree.text())) {
            return new Lifetime.Any();
        }
        YamlMap map = YamlMap.of(flaws, family.path("lifetime"), tree, LIFETIME);
        return switch (map.need("kind")) {
            case "expires" -> expires(map);
            case "bounded" ->
                map.value("count", count -> new Lifetime.Bounded(Long.parseLong(count)), map.need("count"));
            case "kept" -> map.value("reason", Lifetime.Kept::new, map.need("reason"));
            case "ends" ->
                map.value("ttl", ttl -> new Lifetime.Ends(map.need("reason"), Durations.parse(ttl)), map.need("ttl"));
            case "any" -> new Lifetime.Any();
            default -> {
                if (map.has("kind")) {
                    map.wrong("kind", "must be expires, bounded, kept, ends or any");
                }
                yield null;
            }
        };
    }

    private Size size(YamlMap family, String name) {
        YamlTree tree = family.tree(name);
        if (tree == null) {
            return Size.NONE;
        }
        YamlMap map = YamlMap.of(flaws, family.path(name), tree, SIZE);
        long elements = map.whole("elements");
        long elementBytes = map.whole("element_bytes");
        long bytes = map.whole("bytes");
        try {
            return new Size(elements, elementBytes, bytes);
        } catch (IllegalArgumentException negative) {
            flaws.add(new Flaw(family.path(name), negative.getMessage() + " (line " + map.line() + ")"));
            return Size.NONE;
        }
    }

    private static Family.Persistence persistence(String word) {
        for (Family.Persistence persistence : Family.Persistence.values()) {
            if (persistence.name().toLowerCase(Locale.ROOT).equals(word)) {
                return persistence;
            }
        }
        throw new IllegalArgumentException("must be any, rdb or aof, not \"" + word + "\"");
    }
}
