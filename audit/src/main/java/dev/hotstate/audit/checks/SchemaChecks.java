package dev.hotstate.audit.checks;

import dev.hotstate.audit.report.FamilyReport;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import dev.hotstate.audit.scan.FamilyLook;
import dev.hotstate.audit.scan.Noted;
import dev.hotstate.audit.scan.SeenFamily;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Lifetime;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.Type;
import dev.hotstate.core.Durations;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Keys against what is declared of them. */
final class SchemaChecks {
    private static final int DRIFT_AT_LEAST = 50;
    private static final int LEAK_AT_LEAST = 1000;

    /** Lifetimes are chosen in steps, and one look sees them at some point of their time. */
    private static final double DRIFTED = 2;

    /** Shapes of undeclared names that are told one by one; what is more is told together. */
    private static final int MOST_SHAPES = 20;

    private SchemaChecks() {}

    static Stream<Finding> findings(Grounds grounds) {
        Schema schema = grounds.schema();
        Report previous = grounds.previous();
        Stream<Finding> drifted = previous == null
                ? Stream.of()
                : grounds.seen().families().stream().flatMap(family -> longer(family, previous).stream());
        if (schema == null) {
            return Stream.concat(drifted, grounds.seen().families().stream().flatMap(family -> leak(family).stream()));
        }
        return Stream.of(
                        drifted,
                        undeclared(grounds, schema),
                        foreign(grounds).stream(),
                        retagged(grounds).stream(),
                        grounds.seen().families().stream().flatMap(SchemaChecks::declared))
                .flatMap(found -> found);
    }

    private static Stream<Finding> undeclared(Grounds grounds, Schema schema) {
        List<SeenFamily> shapes = grounds.seen().families().stream()
                .filter(family -> family.declared() == null && isUnder(schema, family))
                .sorted(Comparator.comparingLong(
                                (SeenFamily family) -> family.tally().count())
                        .reversed()
                        .thenComparing(SeenFamily::name))
                .toList();
        Stream<Finding> told = shapes.stream()
                .limit(MOST_SHAPES)
                .map(shape -> Draw.of(Rules.KEY_UNDECLARED)
                        .in(shape)
                        .keys(shape.look().types().values().stream()
                                .flatMap(noted -> noted.examples().stream())
                                .toList())
                        .number("keys", shape.tally().count())
                        .says(Draw.count(shape.tally().count(), "key") + " like " + shape.name()
                                + " fit no declared family"));
        long more = shapes.stream()
                .skip(MOST_SHAPES)
                .mapToLong(shape -> shape.tally().count())
                .sum();
        return more == 0
                ? told
                : Stream.concat(
                        told,
                        Stream.of(Draw.of(Rules.KEY_UNDECLARED)
                                .on("others")
                                .number("keys", more)
                                .says(Draw.count(more, "key") + " of "
                                        + Draw.count(shapes.size() - MOST_SHAPES, "other shape")
                                        + " fit no declared family")));
    }

    private static boolean isUnder(Schema schema, SeenFamily shape) {
        return schema.prefix().isEmpty() || shape.pattern().startsWith(schema.prefix() + ":");
    }

    private static Optional<Finding> foreign(Grounds grounds) {
        Noted foreign = grounds.seen().foreign();
        return foreign.count() == 0
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.KEY_FOREIGN)
                        .keys(foreign.examples())
                        .number("keys", foreign.count())
                        .says(Draw.count(foreign.count(), "key") + " of others in the same Redis"));
    }

    private static Optional<Finding> retagged(Grounds grounds) {
        Noted retagged = grounds.seen().retagged();
        return retagged.count() == 0
                ? Optional.empty()
                : Optional.of(Draw.of(Rules.TAG_WRONG)
                        .keys(retagged.examples())
                        .number("keys", retagged.count())
                        .says(Draw.count(retagged.count(), "key")
                                + " would fit a declared family if the braces stood elsewhere"));
    }

    private static Stream<Finding> declared(SeenFamily seen) {
        Family family = seen.declared();
        if (family == null) {
            return Stream.of();
        }
        return Stream.of(
                        types(seen, family),
                        fields(seen),
                        lifetimes(seen, family.lifetime()),
                        bound(seen, family).stream())
                .flatMap(found -> found);
    }

    private static Stream<Finding> types(SeenFamily seen, Family family) {
        return seen.look().types().entrySet().stream()
                .filter(entry -> family.type() != Type.ANY
                        && !entry.getKey().equals("unknown")
                        && Type.answered(entry.getKey()) != family.type())
                .map(entry -> Draw.of(Rules.KEY_TYPE)
                        .in(seen)
                        .on(entry.getKey())
                        .about(entry.getValue(), seen)
                        .says(Draw.of(entry.getValue(), seen) + " are of type " + entry.getKey() + ", not "
                                + family.type().word()));
    }

    private static Stream<Finding> fields(SeenFamily seen) {
        Stream<Finding> unknown = seen.look().unknownFields().entrySet().stream()
                .map(entry -> Draw.of(Rules.FIELD_UNKNOWN)
                        .in(seen)
                        .on(entry.getKey())
                        .about(entry.getValue(), seen)
                        .says(Draw.of(entry.getValue(), seen) + " have the field " + entry.getKey()
                                + ", which is not declared"));
        Stream<Finding> missing = seen.look().missingFields().entrySet().stream()
                .map(entry -> Draw.of(Rules.FIELD_MISSING)
                        .in(seen)
                        .on(entry.getKey())
                        .about(entry.getValue(), seen)
                        .says(Draw.of(entry.getValue(), seen) + " lack the field " + entry.getKey()));
        return Stream.concat(unknown, missing);
    }

    private static Stream<Finding> lifetimes(SeenFamily seen, Lifetime lifetime) {
        return switch (lifetime) {
            case Lifetime.Expires expires -> expires(seen, expires);
            case Lifetime.Bounded bounded -> unexpected(seen, bounded);
            case Lifetime.Kept kept -> unexpected(seen, kept);
            case Lifetime.Ends ends -> tooLong(seen, ends.ttl()).stream();
            case Lifetime.Any any -> Stream.of();
        };
    }

    private static Stream<Finding> expires(SeenFamily seen, Lifetime.Expires lifetime) {
        Duration ttl = lifetime.ttl();
        Duration usual = lifetime.usual();
        FamilyLook look = seen.look();
        Stream.Builder<Finding> found = Stream.builder();
        if (look.withoutTtl().count() > 0) {
            found.add(Draw.of(Rules.TTL_MISSING)
                    .in(seen)
                    .about(look.withoutTtl(), seen)
                    .says(Draw.of(look.withoutTtl(), seen) + " have no TTL; declared is at most "
                            + Durations.print(ttl)));
        }
        Optional<Finding> tooLong = tooLong(seen, ttl);
        if (tooLong.isPresent()) {
            found.add(tooLong.get());
        } else if (usual != null && look.withTtl().count() >= DRIFT_AT_LEAST && look.ttlMax() < usual.toMillis() / 10) {
            found.add(Draw.of(Rules.TTL_DRIFT)
                    .in(seen)
                    .number("longest_ms", look.ttlMax())
                    .number("declared_ms", usual.toMillis())
                    .number("looked_at", look.withTtl().count())
                    .says("the longest TTL of " + Draw.count(look.withTtl().count(), "key") + " looked at is "
                            + time(look.ttlMax()) + ", declared as usual is " + Durations.print(usual)));
        }
        return found.build();
    }

    private static Optional<Finding> tooLong(SeenFamily seen, Duration ttl) {
        FamilyLook look = seen.look();
        if (look.ttlTooLong().count() == 0) {
            return Optional.empty();
        }
        return Optional.of(Draw.of(Rules.TTL_TOO_LONG)
                .in(seen)
                .about(look.ttlTooLong(), seen)
                .number("longest_ms", look.ttlMax())
                .number("declared_ms", ttl.toMillis())
                .says(Draw.of(look.ttlTooLong(), seen) + " have a TTL over the declared " + Durations.print(ttl)
                        + ", the longest " + time(look.ttlMax())));
    }

    /** Keys that now live much longer than those of the last report did; that they live shorter says little of one look. */
    private static Optional<Finding> longer(SeenFamily seen, Report previous) {
        FamilyReport before = previous.families().stream()
                .filter(family -> family.name().equals(seen.name()))
                .findFirst()
                .orElse(null);
        FamilyReport.Ttl ttl = before == null ? null : before.ttl();
        if (before == null
                || ttl == null
                || before.sampled() * ttl.share() < DRIFT_AT_LEAST
                || seen.look().withTtl().count() < DRIFT_AT_LEAST
                || seen.look().ttlMax() < DRIFTED * ttl.maxMs()) {
            return Optional.empty();
        }
        return Optional.of(Draw.of(Rules.TTL_DRIFT)
                .as(Severity.WARNING)
                .in(seen)
                .on("since the last report")
                .number("longest_ms", seen.look().ttlMax())
                .number("before_ms", ttl.maxMs())
                .says("the longest TTL was " + time(ttl.maxMs()) + " in the last report and is "
                        + time(seen.look().ttlMax()) + " now"));
    }

    private static Stream<Finding> unexpected(SeenFamily seen, Lifetime lifetime) {
        Noted withTtl = seen.look().withTtl();
        return withTtl.count() == 0
                ? Stream.of()
                : Stream.of(Draw.of(Rules.TTL_UNEXPECTED)
                        .in(seen)
                        .about(withTtl, seen)
                        .says(Draw.of(withTtl, seen) + " have a TTL, but the family is declared as "
                                + lifetime.kind()));
    }

    private static Optional<Finding> bound(SeenFamily seen, Family family) {
        Noted over = seen.look().overBound();
        if (over.count() == 0) {
            return Optional.empty();
        }
        String bound = family.lifetime() instanceof Lifetime.Bounded bounded
                ? Draw.count(bounded.count(), "element")
                : Stream.of(
                                Map.entry(
                                        family.max().elements(),
                                        Draw.count(family.max().elements(), "element")),
                                Map.entry(
                                        family.max().bytes(),
                                        Draw.bytes(family.max().bytes())))
                        .filter(entry -> entry.getKey() > 0)
                        .map(Map.Entry::getValue)
                        .reduce((first, second) -> first + " and " + second)
                        .orElse("nothing");
        return Optional.of(Draw.of(Rules.BOUND_EXCEEDED)
                .in(seen)
                .about(over, seen)
                .number("most_elements", seen.look().elements())
                .number("most_bytes", Math.max(0, seen.look().largestBytes()))
                .says(Draw.of(over, seen) + " hold more than the declared " + bound + ", at most "
                        + Draw.count(seen.look().elements(), "element") + " and "
                        + Draw.bytes(Math.max(0, seen.look().largestBytes()))));
    }

    /** Without a declaration: some keys of a kind expire and some do not, or there are many and none does. */
    private static Optional<Finding> leak(SeenFamily seen) {
        Noted without = seen.look().withoutTtl();
        if (without.count() == 0 || seen.tally().count() < LEAK_AT_LEAST) {
            return Optional.empty();
        }
        boolean none = seen.look().withTtl().count() == 0;
        return Optional.of(Draw.of(Rules.TTL_MISSING)
                .as(none ? Severity.INFO : Severity.WARNING)
                .in(seen)
                .about(without, seen)
                .says(
                        none
                                ? "none of " + Draw.count(without.count(), "key")
                                        + " looked at has a TTL; a schema can say whether they are meant to stay"
                                : Draw.of(without, seen) + " have no TTL, while others of the family do"));
    }

    static String time(long millis) {
        if (millis < 1000) {
            return millis + "ms";
        }
        double seconds = millis / 1000.0;
        return seconds < 120
                ? String.format(Locale.ROOT, "%.0fs", seconds)
                : seconds < 7200
                        ? String.format(Locale.ROOT, "%.0fm", seconds / 60)
                        : seconds < 172_800
                                ? String.format(Locale.ROOT, "%.0fh", seconds / 3600)
                                : String.format(Locale.ROOT, "%.0fd", seconds / 86_400);
    }
}
