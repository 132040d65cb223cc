package dev.hotstate.core;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The keyspace as a schema file for the auditor: what any Redis can be held against, without this program. */
public final class KeyspaceSchema {
    private static final String HEADER = """
            # What may be in Redis under one prefix: hotstate's schema of keys, read by `hotstate audit --schema`.
            # A key is <prefix>:<pattern>. A family's pattern is made of literals and <variables> between colons; the first
            # segment, in braces, is its hash tag. Each key belongs to one family or to none.
            #   variables  kind id: A-Z a-z 0-9 . _ -   kind text: any text, percent-encoded; max_bytes as it stands in a key
            #   lifetime   expires: every key has a TTL of at most ttl   bounded: no TTL, at most count elements
            #              kept: no TTL, for the reason given   ends: no TTL at first, then one of at most ttl
            #   limits     what a typical key holds; bytes is the estimate for its whole key
            #   users      of Redis, as `hotstate keyspace acl` prints them: whose families each reaches, by which commands
            """;

    private KeyspaceSchema() {}

    /** Services by name, families as their service declares them. Every text is in double quotes, as in JSON. */
    public static String yaml(Keyspace keyspace) {
        StringBuilder out = new StringBuilder(HEADER);
        out.append("version: 1\n");
        out.append("prefix: ").append(quoted(keyspace.prefix())).append('\n');
        if (keyspace.families().isEmpty()) {
            return out.append("families: []\n").toString();
        }
        out.append("families:\n");
        keyspace.services().stream()
                .sorted(Comparator.comparing(Service::name))
                .flatMap(service -> service.families().stream())
                .forEach(family -> family(out, keyspace, family));
        out.append("users:\n");
        KeyspaceAcl.of(keyspace).users().forEach(user -> user(out, user));
        return out.toString();
    }

    private static void user(StringBuilder out, KeyspaceAcl.User user) {
        out.append("  - name: ").append(quoted(user.name())).append('\n');
        line(out, "owners", words(user.owners()));
        line(out, "commands", words(user.commands()));
    }

    private static String words(List<String> words) {
        return words.stream().map(KeyspaceSchema::quoted).collect(Collectors.joining(", ", "[", "]"));
    }

    private static void family(StringBuilder out, Keyspace keyspace, KeyFamily family) {
        out.append("  - name: ").append(quoted(family.name())).append('\n');
        line(out, "pattern", quoted(family.pattern()));
        line(out, "type", family.type().word());
        line(out, "owner", quoted(family.owner()));
        line(out, "tag", quoted(family.segments().getFirst().toString()));
        list(
                out,
                "variables",
                family.variables().stream().map(KeyspaceSchema::variable).toList());
        list(out, "fields", family.fields().stream().map(KeyspaceSchema::field).toList());
        line(out, "lifetime", lifetime(family.lifetime()));
        line(out, "limits", limits(keyspace, family));
        line(out, "example", quoted(family.example()));
        line(out, "why", quoted(family.why()));
    }

    private static String variable(Segment variable) {
        return "{name: " + quoted(variable.word()) + ", kind: " + (variable.text() ? "text" : "id") + ", max_bytes: "
                + variable.maxBytes() + "}";
    }

    private static String field(KeyFamily.Field field) {
        return "{name: " + quoted(field.name()) + ", description: " + quoted(field.description()) + "}";
    }

    private static String lifetime(Lifetime lifetime) {
        return switch (lifetime) {
            case Lifetime.Expires expires -> "{kind: expires, ttl: " + quoted(Durations.print(expires.ttl())) + "}";
            case Lifetime.Bounded bounded -> "{kind: bounded, count: " + bounded.count() + "}";
            case Lifetime.Kept kept -> "{kind: kept, reason: " + quoted(kept.reason()) + "}";
            case Lifetime.Ends ends ->
                "{kind: ends, reason: " + quoted(ends.reason()) + ", ttl: " + quoted(Durations.print(ends.ttl())) + "}";
        };
    }

    private static String limits(Keyspace keyspace, KeyFamily family) {
        KeyFamily.Typical typical = family.typical();
        return "{elements: " + typical.elements() + ", element_bytes: " + typical.elementBytes() + ", bytes: "
                + MemoryModel.bytesPerKey(keyspace, family) + "}";
    }

    private static void list(StringBuilder out, String name, List<String> items) {
        if (items.isEmpty()) {
            line(out, name, "[]");
            return;
        }
        out.append("    ").append(name).append(":\n");
        items.forEach(item -> out.append("      - ").append(item).append('\n'));
    }

    private static void line(StringBuilder out, String name, String value) {
        out.append("    ").append(name).append(": ").append(value).append('\n');
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
