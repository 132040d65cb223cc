package dev.hotstate.server.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.audit.report.KeyName;
import dev.hotstate.audit.report.ReportDiff;
import dev.hotstate.audit.schema.SchemaDiff;
import dev.hotstate.server.http.Json;
import java.nio.file.Path;
import java.util.stream.Collectors;

/** What two files of one kind differ in. */
record AuditDifference(boolean isSame, String text, String json) {

    /** @throws CommandFailedException where one is a report and the other is not, or one is neither */
    static AuditDifference between(Path earlier, Path later) {
        boolean reports = isReport(earlier);
        if (reports != isReport(later)) {
            throw new CommandFailedException(
                    earlier + " and " + later + " are not of one kind: give two reports in JSON, or" + " two schemas");
        }
        if (reports) {
            var diff = ReportDiff.between(AuditFiles.report(earlier), AuditFiles.report(later));
            return new AuditDifference(diff.isSame(), diff.text(), diff.json());
        }
        var diff = SchemaDiff.between(AuditFiles.schema(earlier), AuditFiles.schema(later));
        return new AuditDifference(diff.isEmpty(), lines(diff), Json.pretty(diff) + "\n");
    }

    private static String lines(SchemaDiff diff) {
        if (diff.isEmpty()) {
            return "The schemas say the same.\n";
        }
        return diff.changes().stream()
                .map(change -> KeyName.shown(change.toString())
                        + (change.breaking() ? "  (keys that were right may be wrong now)" : "") + "\n")
                .collect(Collectors.joining());
    }

    private static boolean isReport(Path file) {
        JsonNode tree = ServerOptions.json(AuditFiles.text(file));
        return tree.has("findings") && tree.has("server");
    }
}
