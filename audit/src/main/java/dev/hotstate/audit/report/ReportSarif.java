package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A report as SARIF 2.1.0, for code scanning: every rule with its help, every finding with its fingerprint. A finding is
 * about a family of keys; where a schema was given, it is shown at the line that declares the family, since services that
 * show SARIF need a file.
 */
final class ReportSarif {
    private static final String SCHEMA =
            "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
    private static final List<Rule> RULES = Rules.all();

    private final Verdict verdict;
    private final Presentation presentation;

    private ReportSarif(Verdict verdict, Presentation presentation) {
        this.verdict = verdict;
        this.presentation = presentation;
    }

    static String write(Verdict verdict, Presentation presentation) {
        return ReportJson.pretty(new ReportSarif(verdict, presentation).document()) + "\n";
    }

    private Map<String, Object> document() {
        Map<String, Object> run = new LinkedHashMap<>();
        run.put("tool", Map.of("driver", driver()));
        run.put("invocations", List.of(invocation()));
        run.put("results", results());
        run.put("columnKind", "unicodeCodePoints");
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("$schema", SCHEMA);
        document.put("version", "2.1.0");
        document.put("runs", List.of(run));
        return document;
    }

    private static Map<String, Object> driver() {
        Map<String, Object> driver = new LinkedHashMap<>();
        driver.put("name", "hotstate audit");
        driver.put("rules", RULES.stream().map(ReportSarif::rule).toList());
        return driver;
    }

    private static Map<String, Object> rule(Rule rule) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put("id", rule.id());
        shown.put("shortDescription", text(rule.title() + "."));
        shown.put("fullDescription", text(rule.reason()));
        shown.put("help", text(rule.looks() + " " + rule.remedy()));
        shown.put("defaultConfiguration", Map.of("level", level(rule.severity())));
        shown.put(
                "properties",
                Map.of("tags", List.of("redis", rule.group().title().toLowerCase(Locale.ROOT))));
        return shown;
    }

    private Map<String, Object> invocation() {
        Map<String, Object> invocation = new LinkedHashMap<>();
        invocation.put("executionSuccessful", verdict.report().complete());
        invocation.put("startTimeUtc", verdict.report().startedAt().toString());
        invocation.put(
                "toolExecutionNotifications",
                verdict.report().notLookedAt().stream()
                        .map(what -> Map.of(
                                "level", "note", "message", text("Not looked at: " + what.what() + ": " + what.why())))
                        .toList());
        return invocation;
    }

    private List<Object> results() {
        List<Object> results = new ArrayList<>();
        verdict.report().findings().forEach(finding -> results.add(result(finding)));
        for (Verdict.Waived one : verdict.waived()) {
            Map<String, Object> result = result(one.finding());
            result.put(
                    "suppressions",
                    List.of(Map.of(
                            "kind",
                            "external",
                            "justification",
                            Printable.of("until " + one.waiver().until() + ": "
                                    + one.waiver().reason()))));
            results.add(result);
        }
        for (Finding finding : verdict.known()) {
            Map<String, Object> result = result(finding);
            result.put("suppressions", List.of(Map.of("kind", "external", "justification", "known from the baseline")));
            results.add(result);
        }
        return results;
    }

    private Map<String, Object> result(Finding finding) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("ruleId", finding.rule());
        int index = RULES.stream().map(Rule::id).toList().indexOf(finding.rule());
        if (index >= 0) {
            result.put("ruleIndex", index);
        }
        result.put("level", level(finding.severity()));
        result.put("message", text(message(finding)));
        result.put("locations", List.of(location(finding)));
        result.put("partialFingerprints", Map.of("hotstateFinding/v1", Printable.of(finding.fingerprint())));
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("keys", finding.keys().stream().map(Printable::of).toList());
        properties.put("numbers", finding.numbers());
        properties.put("remedy", Printable.of(finding.remedy()));
        result.put("properties", properties);
        return result;
    }

    private static String message(Finding finding) {
        String evidence = finding.evidence().endsWith(".") ? finding.evidence() : finding.evidence() + ".";
        return finding.keys().isEmpty()
                ? evidence
                : evidence + " For example: " + String.join(", ", finding.keys()) + ".";
    }

    private Map<String, Object> location(Finding finding) {
        String family = finding.family();
        String name = family != null ? family : finding.subject().isEmpty() ? "server" : finding.subject();
        Map<String, Object> location = new LinkedHashMap<>();
        SchemaFile schema = presentation.schema();
        if (schema != null) {
            location.put(
                    "physicalLocation",
                    Map.of(
                            "artifactLocation",
                            Map.of("uri", uri(schema.path())),
                            "region",
                            Map.of("startLine", schema.lineOf(family))));
        }
        location.put(
                "logicalLocations",
                List.of(Map.of(
                        "name",
                        Printable.of(name),
                        "fullyQualifiedName",
                        Printable.of(verdict.report().server().address() + "/" + name),
                        "kind",
                        family != null ? "resource" : "module")));
        return location;
    }

    /** A relative reference, as artifacts of a repository are named. */
    private static String uri(String path) {
        try {
            return new URI(null, null, path.replace('\\', '/'), null).toString();
        } catch (URISyntaxException odd) {
            return "schema.yaml";
        }
    }

    private static Map<String, Object> text(String text) {
        return Map.of("text", Printable.of(text));
    }

    private static String level(Severity severity) {
        return switch (severity) {
            case ERROR -> "error";
            case WARNING -> "warning";
            case INFO -> "note";
        };
    }
}
