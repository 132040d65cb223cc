package dev.hotstate.audit.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        changed(
                changes,
                "",
                "naming",
                SchemaWords.of(before.naming()),
                SchemaWords.of(after.naming()),
                after.naming() != null);
        users(changes, before, after);
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
                SchemaWords.of(before.lifetime()),
                SchemaWords.of(after.lifetime()),
                !isLonger(before.lifetime(), after.lifetime()));
        changed(
                changes,
                name,
                "variables",
                SchemaWords.of(before.variables()),
                SchemaWords.of(after.variables()),
                true);
        fields(changes, before, after);
        changed(changes, name, "limits", SchemaWords.of(before.typical()), SchemaWords.of(after.typical()), false);
        changed(
                changes,
                name,
                "max",
                SchemaWords.of(before.max()),
                SchemaWords.of(after.max()),
                !isWider(before.max(), after.max()));
        changed(
                changes,
                name,
                "persistence",
                SchemaWords.of(before.persistence()),
                SchemaWords.of(after.persistence()),
                false);
        changed(changes, name, "acl", String.join(" ", before.acl()), String.join(" ", after.acl()), false);
        changed(changes, name, "example", before.example(), after.example(), false);
        changed(changes, name, "why", before.why(), after.why(), false);
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

    /** Whatever held no more than before holds no more now. */
    private static boolean isWider(Size before, Size after) {
        return isWider(before.elements(), after.elements())
                && isWider(before.elementBytes(), after.elementBytes())
                && isWider(before.bytes(), after.bytes());
    }

    /** 0 is no limit. */
    private static boolean isWider(long before, long after) {
        return after == 0 || before > 0 && after >= before;
    }

    /** They decide on rights, not on keys. */
    private static void users(List<Change> changes, Schema before, Schema after) {
        Map<String, Schema.User> old = new LinkedHashMap<>();
        before.users().forEach(user -> old.put(user.name(), user));
        for (Schema.User user : after.users()) {
            Schema.User was = old.remove(user.name());
            changed(
                    changes,
                    "",
                    "users." + user.name(),
                    was == null ? "" : SchemaWords.of(was),
                    SchemaWords.of(user),
                    false);
        }
        old.forEach((name, was) -> changed(changes, "", "users." + name, SchemaWords.of(was), "", false));
    }

    private static void fields(List<Change> changes, Family before, Family after) {
        Map<String, Field> old = new LinkedHashMap<>();
        before.fields().forEach(field -> old.put(field.name(), field));
        for (Field field : after.fields()) {
            Field was = old.remove(field.name());
            boolean stricter = was == null
                    ? field.required() || before.fields().isEmpty()
                    : field.required() && !was.required() || was.mayBeJson() && !field.mayBeJson();
            changed(
                    changes,
                    after.name(),
                    "fields." + field.name(),
                    was == null ? "" : SchemaWords.of(was),
                    SchemaWords.of(field),
                    stricter);
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
}
