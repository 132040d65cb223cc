package dev.hotstate.audit.generate;

import dev.hotstate.audit.report.Markdown;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Field;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.Size;
import dev.hotstate.audit.schema.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** A schema as a page to read: owners by name, families as the schema has them. */
final class SchemaPage {
    private final StringBuilder page = new StringBuilder();
    private final Schema schema;

    private SchemaPage(Schema schema) {
        this.schema = schema;
    }

    static String of(Schema schema) {
        SchemaPage page = new SchemaPage(schema);
        page.overview();
        TreeMap<String, List<Family>> owners = new TreeMap<>();
        schema.families()
                .forEach(family -> owners.computeIfAbsent(family.owner(), owner -> new ArrayList<>())
                        .add(family));
        owners.forEach((owner, families) -> {
            page.line("\n## " + Markdown.text(owner.isEmpty() ? "(no owner)" : owner));
            families.forEach(page::section);
        });
        return page.page.toString();
    }

    private void overview() {
        line("# Keys in Redis\n");
        line("Every key that may exist, as the schema declares it."
                + (schema.prefix().isEmpty() ? "" : " Keys begin with " + Markdown.code(schema.prefix()) + ".")
                + " What stands in `<…>` varies; what stands in braces is a hash tag: keys with one tag share a slot and can"
                + " change together.\n");
        row("family", "owner", "type", "lifetime");
        row("---", "---", "---", "---");
        schema.families()
                .forEach(family -> row(
                        Markdown.text(family.name()),
                        Markdown.text(family.owner()),
                        family.type().word(),
                        Markdown.text(family.lifetime().toString())));
    }

    private void section(Family family) {
        line("\n### " + Markdown.text(family.name()) + "\n");
        if (!family.why().isEmpty()) {
            line(Markdown.text(family.why()) + "\n");
        }
        row("", "");
        row("---", "---");
        row("key", Markdown.code(schema.wholePattern(family)));
        if (!family.example().isEmpty()) {
            row(
                    "example",
                    Markdown.code(
                            schema.prefix().isEmpty() ? family.example() : schema.prefix() + ":" + family.example()));
        }
        row("type", family.type().word());
        row("lifetime", Markdown.text(family.lifetime().toString()));
        for (Variable variable : family.variables()) {
            row(Markdown.code("<" + variable.name() + ">"), admitted(variable));
        }
        size("typically", family.typical());
        size("at most", family.max());
        if (family.persistence() != null) {
            row("persistence", family.persistence().name().toLowerCase(Locale.ROOT));
        }
        if (!family.fields().isEmpty()) {
            line("");
            row("field", "what it holds");
            row("---", "---");
            family.fields().forEach(field -> row(Markdown.code(field.name()), described(field)));
        }
    }

    private static String described(Field field) {
        return Markdown.text(field.description()) + (field.required() ? " (required)" : "");
    }

    private static String admitted(Variable variable) {
        return variable.kind().word()
                + (variable.maxBytes() == 0
                        ? ""
                        : String.format(Locale.ROOT, ", at most %,d bytes", variable.maxBytes()));
    }

    private void size(String name, Size size) {
        List<String> parts = new ArrayList<>();
        if (size.elements() > 0) {
            parts.add(String.format(Locale.ROOT, "%,d elements", size.elements()));
        }
        if (size.elementBytes() > 0) {
            parts.add(String.format(Locale.ROOT, "%,d bytes each", size.elementBytes()));
        }
        if (size.bytes() > 0) {
            parts.add(String.format(Locale.ROOT, "%,d bytes a key", size.bytes()));
        }
        if (!parts.isEmpty()) {
            row(name, String.join(", ", parts));
        }
    }

    private void row(String... cells) {
        line("| " + String.join(" | ", cells) + " |");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }
}
