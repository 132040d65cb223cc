package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rules;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A report as JUnit XML: a test for each finding, which fails where the finding is bad enough, is skipped where it is
 * waived or known, and passes with a remark otherwise; and one that passes for each rule that found nothing.
 */
final class ReportJunit {
    private static final Set<Rule.Group> OF_KEYS = Set.of(Rule.Group.SCHEMA, Rule.Group.NAMES, Rule.Group.VALUES);
    private static final Map<String, Set<String>> REST_ON = Map.ofEntries(
            Map.entry("TYPE", Set.of("key-type")),
            Map.entry("PTTL", Set.of("ttl-missing", "ttl-too-long", "ttl-unexpected", "ttl-drift")),
            Map.entry("MEMORY USAGE", Set.of("key-big", "bound-exceeded")),
            Map.entry("OBJECT FREQ", Set.of("key-hot")),
            Map.entry("GETRANGE", Set.of("value-large")),
            Map.entry("STRLEN", Set.of("value-large")),
            Map.entry("HSCAN", Set.of("field-unknown", "json-in-hash")),
            Map.entry("HEXISTS", Set.of("field-missing")),
            Map.entry("SLOWLOG GET", Set.of("slowlog-busy")),
            Map.entry("CONFIG GET", Set.of("config-drift", "clients-high")),
            Map.entry("ACL LIST", Set.of("acl-too-wide", "acl-unused", "command-dangerous", "default-user-open")),
            Map.entry("ACL LOG", Set.of("acl-denied")),
            Map.entry(
                    "INFO",
                    Set.of(
                            "memory-high",
                            "memory-unlimited",
                            "clients-high",
                            "misses-high",
                            "evicted",
                            "command-blocking",
                            "persistence-off",
                            "persistence-failing",
                            "replica-link-down",
                            "version-drift")));

    private final StringBuilder out = new StringBuilder();
    private final Verdict verdict;
    private final Presentation presentation;

    private ReportJunit(Verdict verdict, Presentation presentation) {
        this.verdict = verdict;
        this.presentation = presentation;
    }

    static String write(Verdict verdict, Presentation presentation) {
        return new ReportJunit(verdict, presentation).document();
    }

    private String document() {
        Report report = verdict.report();
        List<Rule> passed = passed();
        long failures =
                report.findings().stream().filter(presentation::isFailure).count();
        long unseen = passed.stream().filter(rule -> !unseen(rule).isEmpty()).count();
        long skipped = verdict.waived().size() + verdict.known().size() + unseen;
        long tests = report.findings().size() + skipped - unseen + passed.size();
        String counts = " tests=\"" + tests + "\" failures=\"" + failures + "\" errors=\"0\" skipped=\"" + skipped
                + "\" time=\""
                + String.format(Locale.ROOT, "%.3f", report.cost().millis() / 1000.0) + "\"";
        out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        out.append("<testsuites name=\"hotstate audit\"").append(counts).append(">\n");
        out.append("  <testsuite name=\"")
                .append(Markup.text("hotstate audit of " + report.server().address()))
                .append("\"")
                .append(counts)
                .append(" timestamp=\"")
                .append(report.startedAt())
                .append("\">\n");
        report.findings().forEach(finding -> test(finding, outcome(finding)));
        verdict.waived()
                .forEach(one -> test(
                        one.finding(),
                        skip("waived until " + one.waiver().until() + ": "
                                + one.waiver().reason())));
        verdict.known().forEach(finding -> test(finding, skip("known from the baseline")));
        passed.forEach(rule -> test(group(rule), rule.id(), unseen(rule)));
        return out.append("  </testsuite>\n</testsuites>\n").toString();
    }

    /** Why a rule that found nothing has not looked, or nothing. */
    private String unseen(Rule rule) {
        return verdict.report().notLookedAt().stream()
                .filter(one -> rules(one.what()).contains(rule.id()))
                .findFirst()
                .map(one -> skip("not looked at: " + one.what() + ": " + one.why()))
                .orElse("");
    }

    /** Which rules rest on what was not looked at. */
    private static Set<String> rules(String what) {
        if (what.equals("SCAN") || what.startsWith("keys of ")) {
            return Rules.all().stream()
                    .filter(rule -> OF_KEYS.contains(rule.group()))
                    .map(Rule::id)
                    .collect(Collectors.toSet());
        }
        return REST_ON.getOrDefault(what, Set.of());
    }

    private List<Rule> passed() {
        Set<String> found = Stream.of(
                        verdict.report().findings().stream(),
                        verdict.waived().stream().map(Verdict.Waived::finding),
                        verdict.known().stream())
                .flatMap(findings -> findings)
                .map(Finding::rule)
                .collect(Collectors.toSet());
        return Rules.all().stream().filter(rule -> !found.contains(rule.id())).toList();
    }

    private void test(Finding finding, String outcome) {
        String name = Stream.of(finding.rule(), finding.family() == null ? "" : finding.family(), finding.subject())
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(" "));
        test(Rules.byId(finding.rule()).map(ReportJunit::group).orElse("other"), name, outcome);
    }

    private static String group(Rule rule) {
        return rule.group().name().toLowerCase(Locale.ROOT);
    }

    private void test(String group, String name, String outcome) {
        out.append("    <testcase classname=\"hotstate.audit.")
                .append(group)
                .append("\" name=\"")
                .append(Markup.text(name))
                .append(outcome.isEmpty() ? "\"/>\n" : "\">\n" + outcome + "    </testcase>\n");
    }

    private String outcome(Finding finding) {
        return presentation.isFailure(finding)
                ? "      <failure type=\"" + finding.severity().word() + "\" message=\""
                        + Markup.text(finding.evidence()) + "\">" + details(finding) + "</failure>\n"
                : "      <system-out>" + Markup.text(finding.severity().word() + ": " + finding.evidence()) + "\n"
                        + details(finding) + "</system-out>\n";
    }

    private static String details(Finding finding) {
        String keys =
                finding.keys().stream().map(key -> Markup.text(key) + "\n").collect(Collectors.joining());
        return keys + Markup.text(finding.remedy());
    }

    private static String skip(String why) {
        return "      <skipped message=\"" + Markup.text(why) + "\"/>\n";
    }
}
