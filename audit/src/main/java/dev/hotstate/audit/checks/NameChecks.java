package dev.hotstate.audit.checks;

import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import dev.hotstate.audit.scan.Noted;
import dev.hotstate.audit.scan.SeenFamily;
import dev.hotstate.audit.schema.Naming;
import dev.hotstate.audit.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Names by themselves. Every name was read, so these are counts, not estimates. */
final class NameChecks {
    private NameChecks() {}

    static Stream<Finding> findings(Grounds grounds) {
        List<SeenFamily> families = grounds.seen().families();
        return Stream.of(
                        each(families, family -> family.tally().tooLong(), NameChecks::tooLong),
                        each(families, family -> family.tally().unprintable(), NameChecks::unprintable),
                        each(
                                families,
                                family -> family.tally().misnamed(),
                                (family, noted) -> misnamed(grounds, family, noted)),
                        untagged(grounds))
                .flatMap(found -> found);
    }

    private interface Told {
        Finding of(SeenFamily family, Noted noted);
    }

    private static Stream<Finding> each(List<SeenFamily> families, Function<SeenFamily, Noted> what, Told told) {
        return families.stream()
                .filter(family -> what.apply(family).count() > 0)
                .map(family -> told.of(family, what.apply(family)));
    }

    private static Draw counted(Draw draw, SeenFamily family, Noted noted) {
        return draw.in(family)
                .keys(noted.examples())
                .number("found", noted.count())
                .number("keys", family.tally().count());
    }

    private static String share(SeenFamily family, Noted noted) {
        return String.format(
                Locale.ROOT,
                "%,d of %s",
                noted.count(),
                Draw.count(family.tally().count(), "name"));
    }

    private static Finding tooLong(SeenFamily family, Noted noted) {
        return counted(Draw.of(Rules.KEY_TOO_LONG), family, noted)
                .says(share(family, noted) + " have 100 bytes or more");
    }

    private static Finding unprintable(SeenFamily family, Noted noted) {
        return counted(Draw.of(Rules.NAME_UNPRINTABLE), family, noted)
                .says(share(family, noted) + " have control characters, or bytes that are no text");
    }

    private static Finding misnamed(Grounds grounds, SeenFamily family, Noted noted) {
        Schema schema = grounds.schema();
        String convention = schema == null || schema.naming() == null
                ? Naming.DEFAULT.convention()
                : schema.naming().convention();
        return counted(Draw.of(Rules.NAME_CONVENTION), family, noted)
                .says(share(family, noted) + " do not follow " + convention);
    }

    /**
     * Families that go on after a common id, as {@code user:<id>:profile} and {@code user:<id>:sessions}, and have no
     * tag. On a cluster their keys part already; elsewhere they would.
     */
    private static Stream<Finding> untagged(Grounds grounds) {
        Map<String, List<SeenFamily>> byStem = new TreeMap<>();
        for (SeenFamily family : grounds.seen().families()) {
            int end = family.pattern().lastIndexOf('>');
            if (family.tally().count() > 0 && end > 0 && !family.pattern().contains("{")) {
                byStem.computeIfAbsent(stem(family.pattern()), stem -> new ArrayList<>())
                        .add(family);
            }
        }
        boolean tags = grounds.schema() != null
                && grounds.schema().families().stream()
                        .anyMatch(family -> !family.tag().isEmpty());
        Severity severity = grounds.fleet().isCluster() || tags ? Rules.TAG_MISSING.severity() : Severity.INFO;
        return byStem.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(entry -> untagged(entry.getKey(), entry.getValue(), severity));
    }

    /** Up to its first variable, without the variable's name: other families may call it otherwise. */
    private static String stem(String pattern) {
        return pattern.substring(0, pattern.indexOf('<'));
    }

    private static Finding untagged(String stem, List<SeenFamily> families, Severity severity) {
        List<String> patterns = families.stream().map(SeenFamily::pattern).toList();
        return Draw.of(Rules.TAG_MISSING)
                .as(severity)
                .on(stem)
                .keys(families.stream()
                        .flatMap(family -> family.look().types().values().stream()
                                .flatMap(noted -> noted.examples().stream())
                                .limit(2))
                        .toList())
                .number("families", families.size())
                .says(String.join(", ", patterns)
                        + " go on after the same id and have no hash tag, so they are in different"
                        + " slots of a cluster");
    }
}
