package dev.hotstate.server.audit;

import dev.hotstate.audit.report.Activity;
import dev.hotstate.audit.report.Cost;
import dev.hotstate.audit.report.FamilyReport;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Memory;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.report.Server;
import dev.hotstate.audit.rules.Severity;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reports with known contents. */
final class Reports {
    private Reports() {}

    static Report at(Instant when, FamilyReport... families) {
        long keys = Arrays.stream(families).mapToLong(FamilyReport::keys).sum();
        long bytes = Arrays.stream(families).mapToLong(FamilyReport::bytes).sum();
        return new Report(
                new Server("127.0.0.1:6379", "standalone", "redis", "7.0.15", List.of()),
                when,
                keys,
                true,
                new Report.Sampling(false, 400, 1),
                List.of(families),
                List.of(
                        new Finding(
                                "tls-off", Severity.WARNING, null, "", List.of(), "It is so.", Map.of(), null, "Mend."),
                        new Finding(
                                "key-type", Severity.ERROR, "a", "", List.of("a:1"), "So.", Map.of(), null, "Mend.")),
                new Memory(bytes + 100, bytes, 0, Map.of("startup", 100L), bytes * 2, 2, 0),
                new Cost(1_500, 20, 300, 400, 1, 1_000, 100, 0.5),
                List.of(),
                Activity.NONE,
                Map.of());
    }

    static FamilyReport family(String name, boolean declared, long keys, long bytes) {
        return new FamilyReport(
                name,
                declared,
                name + ":<id>",
                "string",
                "",
                "",
                keys,
                bytes,
                0,
                keys,
                Map.of(),
                null,
                null,
                0,
                List.of());
    }
}
