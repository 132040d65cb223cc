package dev.hotstate.audit.checks;

import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.scan.FamilyLook;
import dev.hotstate.audit.scan.Noted;
import dev.hotstate.audit.scan.SeenFamily;
import java.util.Optional;
import java.util.stream.Stream;

/** Values of the keys that were looked at. */
final class ValueChecks {
    private ValueChecks() {}

    static Stream<Finding> findings(Grounds grounds) {
        return grounds.seen().families().stream().flatMap(ValueChecks::of);
    }

    private static Stream<Finding> of(SeenFamily family) {
        FamilyLook look = family.look();
        return Stream.of(
                        found(Rules.JSON_IN_HASH, family, look.json(), " have JSON in a field"),
                        found(Rules.VALUE_LARGE, family, look.large(), " have a text of more than 1 KB"),
                        found(
                                Rules.KEY_BIG,
                                family,
                                look.big(),
                                " are very large, the largest " + Draw.bytes(Math.max(0, look.largestBytes()))
                                        + ", the longest " + Draw.count(look.elements(), "element")),
                        found(Rules.KEY_HOT, family, look.hot(), " are asked for far more than others"))
                .flatMap(Optional::stream);
    }

    private static Optional<Finding> found(Rule rule, SeenFamily family, Noted noted, String what) {
        return noted.count() == 0
                ? Optional.empty()
                : Optional.of(Draw.of(rule).in(family).about(noted, family).says(Draw.of(noted, family) + what));
    }
}
