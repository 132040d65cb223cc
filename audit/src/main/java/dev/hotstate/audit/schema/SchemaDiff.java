package dev.hotstate.audit.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What has changed from one version of a schema to another, by the names of families.
 *
 * @param changes in the order of the newer schema, what is gone at the end
 */
public record SchemaDiff(List<Change> changes) {
    /** How a family, or the schema's head, differs. */
    public enum Kind {
        ADDED,
        REMOVED,
        CHANGED
    }

    /**
     * @param family its name; nothing for the schema's head
     * @param field what of it, as the file calls it; nothing where the whole family came or went
     * @param before nothing where it came
     * @param after nothing where it went
     * @param breaking whether keys that were right before may be wrong now
     */
    public record Change(Kind kind, String family, String field, String before, String after, boolean breaking) {
        @Override
        public String toString() {
            return switch (kind) {
                case ADDED -> "+ " + family + " " + after;
                case REMOVED -> "- " + family + " " + before;
                case CHANGED -> "~ " + (family.isEmpty() ? "" : family + " ") + field + ": " + before + " -> " + after;
            };
        }
    }

    public SchemaDiff {
        changes = List.copyOf(changes);
    }

    public static SchemaDiff between(Schema before, Schema after) {
        List<Change> changes = new ArrayList<>();
        changed(changes, "", "prefix", before.prefix(), after.prefix(), true);
        changed(changes, "", "naming", text(before.naming()), text(after.naming()), after.naming() != null);
        for (Family family : after.families()) {
            Family old = before.family(family.name()).orElse(null);
            if (old == null) {
                changes.add(new Change(Kind.ADDED, family.name(), "", "", family.pattern(), false));
            } else {
                family(changes, old, family);
            }
        }
        for (Family old : before.families()) {
            if (after.family(old.name()).isEmpty()) {
                changes.add(new Change(Kind.REMOVED, old.name(), "", old.pattern(), "", true));
            }
        }
        return new SchemaDiff(changes);
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    private static void family(List<Change> changes, Family before, Family after) {
        String name = after.name();
        changed(changes, name, "pattern", before.pattern(), after.pattern(), true);
        changed(changes, name, "type", before.type().word(), after.type().word(), after.type() != Type.ANY);
        changed(changes, name, "owner", before.owner(), after.owner(), false);
        changed(
                changes,
                name,
                "lifetime",
                before.lifetime().toString(),
                after.lifetime().toString(),
                !isLonger(before.lifetime(), after.lifetime()));
        changed(
                changes,
                name,
                "variables",
                before.variables().toString(),
                after.variables().toString(),
                true);
        fields(changes, before, after);
        changed(changes, name, "limits", text(before.typical()), text(after.typical()), false);
        changed(changes, name, "max", text(before.max()), text(after.max()), true);
        changed(changes, name, "persistence", text(before.persistence()), text(after.persistence()), false);
        changed(changes, name, "acl", before.acl().toString(), after.acl().toString(), false);
    }

    /** Whoever may live longer than before is still right. */
    private static boolean isLonger(Lifetime before, Lifetime after) {
        return switch (after) {
            case Lifetime.Any any -> true;
            case Lifetime.Expires now ->
                before instanceof Lifetime.Expires was && now.ttl().compareTo(was.ttl()) >= 0;
            case Lifetime.Bounded now -> before instanceof Lifetime.Bounded was && now.count() >= was.count();
            case Lifetime.Kept now -> before instanceof Lifetime.Kept || before instanceof Lifetime.Bounded;
            case Lifetime.Ends now ->
                before instanceof Lifetime.Kept
                        || before instanceof Lifetime.Ends was && now.ttl().compareTo(was.ttl()) >= 0;
        };
    }

    private static void fields(List<Change> changes, Family before, Family after) {
        Map<String, Field> old = new LinkedHashMap<>();
        before.fields().forEach(field -> old.put(field.name(), field));
        for (Field field : after.fields()) {
            Field was = old.remove(field.name());
            if (was == null) {
                changes.add(new Change(
                        Kind.CHANGED,
                        after.name(),
                        "fields." + field.name(),
                        "none",
                        field.required() ? "required" : "optional",
                        field.required() || before.fields().isEmpty()));
            } else if (was.required() != field.required()) {
                changes.add(new Change(
                        Kind.CHANGED,
                        after.name(),
                        "fields." + field.name(),
                        was.required() ? "required" : "optional",
                        field.required() ? "required" : "optional",
                        field.required()));
            }
        }
        old.keySet()
                .forEach(gone -> changes.add(new Change(
                        Kind.CHANGED,
                        after.name(),
                        "fields." + gone,
                        "there",
                        "none",
                        !after.fields().isEmpty())));
    }

    private static void changed(
            List<Change> changes, String family, String field, String before, String after, boolean breaking) {
        if (!before.equals(after)) {
            changes.add(new Change(
                    Kind.CHANGED,
                    family,
                    field,
                    before.isEmpty() ? "none" : before,
                    after.isEmpty() ? "none" : after,
                    breaking));
        }
    }

    private static String text(@Nullable Object value) {
        return value == null || value.equals(Size.NONE) ? "" : Objects.toString(value);
    }
}
