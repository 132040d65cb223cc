package dev.hotstate.audit.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.audit.rules.Severity;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Findings that were there when somebody drew a line: from then on only others count. One that has become worse than it
 * was counts again.
 *
 * @param findings how bad each was, by its fingerprint
 */
public record Baseline(Map<String, Severity> findings) {
    public static final Baseline NONE = new Baseline(Map.of());
    private static final int VERSION = 1;

    public Baseline {
        findings = Collections.unmodifiableMap(new TreeMap<>(findings));
    }

    /** Everything that the report has, those findings too that an earlier baseline knew. */
    public static Baseline of(Verdict verdict) {
        Map<String, Severity> all = new TreeMap<>();
        verdict.report().findings().forEach(finding -> add(all, finding));
        verdict.known().forEach(finding -> add(all, finding));
        return new Baseline(all);
    }

    /** Of two that are known by the same words, the worse: else it would count as one that has become worse. */
    private static void add(Map<String, Severity> all, Finding finding) {
        all.merge(finding.fingerprint(), finding.severity(), (one, other) -> one.isAtLeast(other) ? one : other);
    }

    /**
     * Of a baseline's file, or of a report as JSON: its findings, and those it knew, are then the known ones.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    public static Baseline read(String text) {
        JsonNode root = ReportJson.tree(text, "baseline");
        if (root.has("server")) {
            return of(new Verdict(ReportJson.read(text), List.of(), ReportJson.known(root)));
        }
        if (root.path("version").asInt() != VERSION || !root.path("findings").isArray()) {
            throw new IllegalArgumentException("baseline must have version: " + VERSION + " and findings");
        }
        Map<String, Severity> all = new TreeMap<>();
        for (JsonNode entry : root.path("findings")) {
            all.put(
                    entry.path("fingerprint").asText(),
                    Severity.of(entry.path("severity").asText()));
        }
        return new Baseline(all);
    }

    /** As JSON with one finding on a line, in order, so that a change of it can be reviewed. */
    public String write() {
        List<String> lines = findings.entrySet().stream()
                .map(entry -> "    "
                        + ReportJson.compact(Map.of(
                                "fingerprint",
                                entry.getKey(),
                                "severity",
                                entry.getValue().word())))
                .toList();
        return "{\n  \"version\": " + VERSION + ",\n  \"findings\": [" + (lines.isEmpty() ? "" : "\n")
                + String.join(",\n", lines) + (lines.isEmpty() ? "" : "\n  ") + "]\n}\n";
    }

    boolean knows(Finding finding) {
        Severity then = findings.get(finding.fingerprint());
        return then != null && then.isAtLeast(finding.severity());
    }
}
