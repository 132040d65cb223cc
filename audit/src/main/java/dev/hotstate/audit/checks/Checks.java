package dev.hotstate.audit.checks;

import dev.hotstate.audit.report.Finding;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Every rule that an audit holds a Redis against. */
public final class Checks {
    private static final List<Function<Grounds, Stream<Finding>>> ALL = List.of(
            SchemaChecks::findings,
            NameChecks::findings,
            ValueChecks::findings,
            ServerChecks::findings,
            CommandChecks::findings,
            TopologyChecks::findings,
            SecurityChecks::findings);

    private Checks() {}

    public static List<Finding> findings(Grounds grounds) {
        return ALL.stream()
                .flatMap(check -> check.apply(grounds))
                .sorted(Finding.ORDER)
                .toList();
    }
}
