package dev.hotstate.core;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The keyspace as a page to read: what may be in Redis, who owns it, how long it lives and why it is there. */
public final class KeyspaceDocument {
    private KeyspaceDocument() {}

    /** Services by name, families as their service declares them: the same keyspace is the same page, to the byte. */
    public static String markdown(Keyspace keyspace) {
        StringBuilder page = new StringBuilder();
        page.append("# Keys in Redis\n\n")
                .append("Every key that may exist, as the program declares it; this page is generated from the")
                .append(" declarations. A key begins with the environment and the application, here ")
                .append(code(keyspace.prefix()))
                .append(", then a hash tag in braces: keys with one tag share a slot and can change together. What")
                .append(" stands in `<…>` varies. Bytes are estimates for a typical key.\n\n");
        overview(page, keyspace);
        for (Service service : inOrder(keyspace)) {
            page.append("\n## ").append(service.name()).append('\n');
            service.families().forEach(family -> section(page, keyspace, family));
        }
        return page.toString();
    }

    private static void overview(StringBuilder page, Keyspace keyspace) {
        page.append("| family | service | type | lifetime | bytes a key |\n| --- | --- | --- | --- | ---: |\n");
        for (Service service : inOrder(keyspace)) {
            for (KeyFamily family : service.families()) {
                row(
                        page,
                        "[" + family.name() + "](#" + anchor(family.name()) + ")",
                        service.name(),
                        family.type().word(),
                        text(shortly(family.lifetime())),
                        bytes(keyspace, family));
            }
        }
    }

    private static void section(StringBuilder page, Keyspace keyspace, KeyFamily family) {
        String prefix = keyspace.prefix() + ":";
        page.append("\n### ").append(family.name()).append("\n\n");
        page.append(sentence(family.why())).append("\n\n");
        page.append("| | |\n| --- | --- |\n");
        row(page, "key", code(prefix + family.pattern()));
        row(page, "example", code(prefix + family.example()));
        row(page, "type", family.type().word());
        row(page, "lifetime", text(family.lifetime().toString()));
        for (Segment variable : family.variables()) {
            row(page, code("<" + variable.word() + ">"), admitted(variable));
        }
        KeyFamily.Typical typical = family.typical();
        row(
                page,
                "typically",
                counted(typical.elements(), "element") + " of " + counted(typical.elementBytes(), "byte") + ", "
                        + bytes(keyspace, family) + " bytes a key");
        fields(page, family.fields());
    }

    private static void fields(StringBuilder page, List<KeyFamily.Field> fields) {
        if (!fields.isEmpty()) {
            page.append("\n| field | what it holds |\n| --- | --- |\n");
            fields.forEach(field -> row(page, code(field.name()), text(field.description())));
        }
    }

    private static List<Service> inOrder(Keyspace keyspace) {
        return keyspace.services().stream()
                .filter(service -> !service.families().isEmpty())
                .sorted(Comparator.comparing(Service::name))
                .toList();
    }

    private static String shortly(Lifetime lifetime) {
        return switch (lifetime) {
            case Lifetime.Kept kept -> "kept";
            case Lifetime.Ends ends -> "kept, then at most " + Durations.print(ends.ttl());
            default -> lifetime.toString();
        };
    }

    private static String admitted(Segment variable) {
        return (variable.text() ? "any text, percent-encoded" : "`A-Z a-z 0-9 . _ -`") + ", at most "
                + counted(variable.maxBytes(), "byte");
    }

    private static String bytes(Keyspace keyspace, KeyFamily family) {
        return grouped(MemoryModel.bytesPerKey(keyspace, family));
    }

    private static String counted(long number, String what) {
        return grouped(number) + " " + what + (number == 1 ? "" : "s");
    }

    private static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String sentence(String why) {
        return text(Character.toUpperCase(why.charAt(0)) + why.substring(1)) + (why.endsWith(".") ? "" : ".");
    }

    /** As code hosts make the anchor of a heading: letters, digits, - and _ stay. */
    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_-]", "");
    }

    private static void row(StringBuilder page, String... cells) {
        page.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String code(String text) {
        return "`" + oneLine(text).replace("`", "'").replace("|", "\\|") + "`";
    }

    /** Text that Markdown takes for nothing else. */
    private static String text(String text) {
        return oneLine(text).replace("&", "&amp;").replace("<", "&lt;").replaceAll("([\\\\|*_`\\[\\]])", "\\\\$1");
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
