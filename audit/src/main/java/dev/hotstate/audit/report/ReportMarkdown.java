package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import java.util.stream.Collectors;

/** A report for a pull request or a wiki. */
final class ReportMarkdown {
    private final StringBuilder page = new StringBuilder();

    private ReportMarkdown() {}

    static String write(Verdict verdict) {
        ReportMarkdown markdown = new ReportMarkdown();
        markdown.head(verdict);
        markdown.findings(verdict.report());
        markdown.setAside(verdict);
        markdown.families(verdict.report());
        markdown.memory(verdict.report().memory());
        markdown.rest(verdict.report());
        return markdown.page.toString();
    }

    private void head(Verdict verdict) {
        Report report = verdict.report();
        Server server = report.server();
        line("# Redis audit of " + code(server.address()));
        line("");
        line(Markdown.text(server.software() + ", " + server.kind()) + ", "
                + Figures.counted(report.keys(), "key", "keys") + (report.complete() ? "" : " (not all of them seen)")
                + ", " + Figures.bytes(report.memory().used()) + ", " + report.startedAt() + ".");
        line("");
        line("**" + Figures.counted(report.count(Severity.ERROR), "error", "errors") + ", "
                + Figures.counted(report.count(Severity.WARNING), "warning", "warnings") + ", "
                + Figures.counted(report.count(Severity.INFO), "note", "notes") + "**"
                + (verdict.waived().isEmpty() ? "" : ", " + verdict.waived().size() + " waived")
                + (verdict.known().isEmpty() ? "" : ", " + verdict.known().size() + " known") + ".");
    }

    private void findings(Report report) {
        if (report.findings().isEmpty()) {
            return;
        }
        section("Findings");
        line("| | rule | about | evidence |");
        line("| --- | --- | --- | --- |");
        for (Finding finding : report.findings()) {
            row(finding.severity().word(), code(finding.rule()), about(finding), evidence(finding));
        }
        section("What to do");
        report.findings().stream()
                .map(Finding::rule)
                .distinct()
                .forEach(rule -> line("- " + code(rule) + ": "
                        + Markdown.text(Rules.byId(rule).map(Rule::remedy).orElseGet(() -> remedy(report, rule)))));
    }

    private static String remedy(Report report, String rule) {
        return report.findings().stream()
                .filter(finding -> finding.rule().equals(rule))
                .map(Finding::remedy)
                .findFirst()
                .orElse("");
    }

    private static String about(Finding finding) {
        String family = finding.family() == null ? "" : code(finding.family());
        String subject = finding.subject().isEmpty() ? "" : code(finding.subject());
        return family + (family.isEmpty() || subject.isEmpty() ? "" : " ") + subject;
    }

    private static String evidence(Finding finding) {
        String keys = finding.keys().stream().map(ReportMarkdown::code).collect(Collectors.joining(", "));
        Finding.Confidence sure = finding.confidence();
        return Markdown.text(finding.evidence())
                + (sure == null || finding.evidence().contains("95 % confidence")
                        ? ""
                        : " " + Markdown.text(ReportText.confidence(sure)))
                + (keys.isEmpty() ? "" : "<br>" + keys);
    }

    private void setAside(Verdict verdict) {
        if (!verdict.waived().isEmpty()) {
            section("Waived");
            verdict.waived()
                    .forEach(one -> line("- " + code(one.finding().rule()) + " " + about(one.finding()) + " until "
                            + one.waiver().until() + ": "
                            + Markdown.text(one.waiver().reason())));
        }
        if (!verdict.known().isEmpty()) {
            section("Known from the baseline");
            verdict.known().forEach(finding -> line("- " + code(finding.rule()) + " " + about(finding)));
        }
    }

    private void families(Report report) {
        if (report.families().isEmpty()) {
            return;
        }
        section("Families");
        line("| family | pattern | type | keys | memory | longest TTL |");
        line("| --- | --- | --- | ---: | ---: | ---: |");
        for (FamilyReport family : ReportText.living(report)) {
            row(
                    Markdown.text(family.name()) + (family.declared() ? "" : " (not declared)"),
                    code(family.pattern()),
                    Markdown.text(family.type()),
                    Figures.count(family.keys()),
                    Figures.bytes(family.bytes())
                            + (family.bytesPlusMinus() == 0 ? "" : " ± " + Figures.bytes(family.bytesPlusMinus())),
                    family.ttl() == null ? "none" : Figures.time(family.ttl().maxMs()));
        }
        ReportText.empty(report).ifPresent(remark -> line("\n" + remark));
    }

    private void memory(Memory memory) {
        section("Memory");
        line("| part | bytes |");
        line("| --- | ---: |");
        row("families", Figures.bytes(memory.attributed()));
        memory.explained().forEach((name, bytes) -> row(Markdown.text(name.replace('_', ' ')), Figures.bytes(bytes)));
        row("**used**", "**" + Figures.bytes(memory.used()) + "**");
    }

    private void rest(Report report) {
        if (!report.notLookedAt().isEmpty()) {
            section("Not looked at");
            report.notLookedAt().forEach(what -> line("- " + code(what.what()) + ": " + Markdown.text(what.why())));
        }
        Cost cost = report.cost();
        line("");
        line("The audit took " + Figures.time(cost.millis()) + " and " + Figures.count(cost.commands()) + " commands.");
    }

    private void section(String title) {
        line("");
        line("## " + title);
        line("");
    }

    private void row(String... cells) {
        line("| " + String.join(" | ", cells) + " |");
    }

    private void line(String text) {
        page.append(text).append('\n');
    }

    private static String code(String text) {
        return Markdown.code(text);
    }
}
