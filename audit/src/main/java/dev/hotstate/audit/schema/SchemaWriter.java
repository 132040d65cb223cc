package dev.hotstate.audit.schema;

import dev.hotstate.core.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes a schema as a file that {@link SchemaReader} reads back, for a person to edit: what says nothing is left out. */
public final class SchemaWriter {
    private static final String HEADER = """
            # A schema of keys, read by `hotstate audit --schema`. A key is <prefix>:<pattern>, or <pattern> without a prefix.
            #   pattern    literals and <variables>; in braces, if any, the hash tag
            #   variables  kind id: A-Z a-z 0-9 . _ -   digits, hex, uuid   text: percent-encoded   any: all but a colon
            #              rest: all up to the end
            #   lifetime   expires: every key has a TTL of at most ttl   bounded: no TTL, at most count elements
            #              kept: no TTL, for the reason given   any: nothing is said
            #   limits     what a typical key holds   max: what a key may hold at most
            """;

    private SchemaWriter() {}

    public static String yaml(Schema schema) {
        StringBuilder out = new StringBuilder(HEADER);
        out.append("version: ").append(Schema.VERSION).append('\n');
        if (!schema.prefix().isEmpty()) {
            out.append("prefix: ").append(quoted(schema.prefix())).append('\n');
        }
        Naming naming = schema.naming();
        if (naming != null) {
            out.append("naming: {convention: ")
                    .append(quoted(naming.convention()))
                    .append(", environments: ")
                    .append(inline(naming.environments()))
                    .append("}\n");
        }
        if (!schema.users().isEmpty()) {
            out.append("users:\n");
            schema.users()
                    .forEach(user -> out.append("  - {name: ")
                            .append(quoted(user.name()))
                            .append(", owners: ")
                            .append(inline(user.owners()))
                            .append(", commands: ")
                            .append(inline(user.commands()))
                            .append("}\n"));
        }
        out.append(schema.families().isEmpty() ? "families: []\n" : "families:\n");
        schema.families().forEach(family -> family(out, family));
        return out.toString();
    }

    private static void family(StringBuilder out, Family family) {
        out.append("  - name: ").append(quoted(family.name())).append('\n');
        line(out, "pattern", quoted(family.pattern()));
        line(out, "type", family.type().word());
        text(out, "owner", family.owner());
        list(
                out,
                "variables",
                family.variables().stream().map(SchemaWriter::variable).toList());
        list(out, "fields", family.fields().stream().map(SchemaWriter::field).toList());
        line(out, "lifetime", lifetime(family.lifetime()));
        size(out, "limits", family.typical());
        size(out, "max", family.max());
        if (family.persistence() != null) {
            line(
                    out,
                    "persistence",
                    Objects.requireNonNull(family.persistence()).name().toLowerCase(Locale.ROOT));
        }
        if (!family.acl().isEmpty()) {
            line(out, "acl", inline(family.acl()));
        }
        text(out, "example", family.example());
        text(out, "why", family.why());
    }

    private static String variable(Variable variable) {
        return "{name: " + quoted(variable.name()) + ", kind: "
                + variable.kind().word() + (variable.maxBytes() == 0 ? "" : ", max_bytes: " + variable.maxBytes())
                + "}";
    }

    private static String field(Field field) {
        return "{name: " + quoted(field.name())
                + (field.description().isEmpty() ? "" : ", description: " + quoted(field.description()))
                + (field.required() ? ", required: true" : "") + (field.json() ? ", json: true" : "") + "}";
    }

    private static String lifetime(Lifetime lifetime) {
        return switch (lifetime) {
            case Lifetime.Expires expires -> expires(expires.ttl(), expires.usual());
            case Lifetime.Bounded bounded -> "{kind: bounded, count: " + bounded.count() + "}";
            case Lifetime.Kept kept -> "{kind: kept, reason: " + quoted(kept.reason()) + "}";
            case Lifetime.Ends ends ->
                "{kind: ends, reason: " + quoted(ends.reason()) + ", ttl: " + quoted(Durations.print(ends.ttl())) + "}";
            case Lifetime.Any any -> "{kind: any}";
        };
    }

    private static String expires(Duration ttl, @Nullable Duration usual) {
        return "{kind: expires, ttl: " + quoted(Durations.print(ttl))
                + (usual == null ? "" : ", usual: " + quoted(Durations.print(usual))) + "}";
    }

    private static void size(StringBuilder out, String name, Size size) {
        if (!size.equals(Size.NONE)) {
            line(
                    out,
                    name,
                    Stream.of(
                                    size("elements", size.elements()),
                                    size("element_bytes", size.elementBytes()),
                                    size("bytes", size.bytes()))
                            .filter(part -> !part.isEmpty())
                            .collect(Collectors.joining(", ", "{", "}")));
        }
    }

    private static String size(String what, long number) {
        return number == 0 ? "" : what + ": " + number;
    }

    private static void list(StringBuilder out, String name, List<String> items) {
        if (!items.isEmpty()) {
            out.append("    ").append(name).append(":\n");
            items.forEach(item -> out.append("      - ").append(item).append('\n'));
        }
    }

    private static void text(StringBuilder out, String name, String value) {
        if (!value.isEmpty()) {
            line(out, name, quoted(value));
        }
    }

    private static void line(StringBuilder out, String name, String value) {
        out.append("    ").append(name).append(": ").append(value).append('\n');
    }

    private static String inline(List<String> words) {
        return words.stream().map(SchemaWriter::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    /** A double-quoted string of JSON is one of YAML as well, whatever it holds. */
    private static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~' && !Character.isLetterOrDigit(c)) {
                out.append(String.format("\\u%04X", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
