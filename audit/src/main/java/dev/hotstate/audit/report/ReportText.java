package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A report for a terminal: what is wrong first, then where the memory is, then what the look cost. */
final class ReportText {
    /** A page of names is read by nobody. */
    private static final int EXAMPLES = 3;

    private static final String BOLD = "\u001b[1m";
    private static final String FAINT = "\u001b[2m";
    private static final String RED = "\u001b[31m";
    private static final String YELLOW = "\u001b[33m";
    private static final String GREEN = "\u001b[32m";
    private static final String BLUE = "\u001b[34m";
    private static final String PLAIN = "\u001b[0m";
    private static final String INDENT = "    ";
    private static final int MOST_COMMANDS = 8;
    private static final int MOST_SLOW = 5;
    private static final int MOST_CLIENTS = 8;

    private final StringBuilder out = new StringBuilder();
    private final Presentation look;

    private ReportText(Presentation look) {
        this.look = look;
    }

    static String write(Verdict verdict, Presentation look) {
        ReportText text = new ReportText(look);
        Report report = verdict.report();
        text.head(report);
        report.findings().forEach(text::finding);
        text.setAside(verdict);
        text.families(report);
        text.memory(report.memory());
        text.activity(report.activity());
        text.notLookedAt(report);
        text.cost(report);
        text.summary(verdict);
        return text.out.toString();
    }

    private void head(Report report) {
        Server server = report.server();
        line(paint(BOLD, "hotstate audit") + " of " + Printable.of(server.address()) + ", "
                + Printable.of(server.software()) + ", " + Printable.of(server.kind()));
        line(Figures.counted(report.keys(), "key", "keys") + (report.complete() ? "" : ", not all of them seen") + ", "
                + Figures.bytes(report.memory().used()) + ", "
                + (report.sampling().full()
                        ? "each key looked at"
                        : "up to " + Figures.count(report.sampling().perFamily()) + " keys of each family looked at"));
        line("");
    }

    private void finding(Finding finding) {
        line(paint(colour(finding.severity()), String.format(Locale.ROOT, "%-7s", word(finding.severity()))) + " "
                + paint(BOLD, Printable.of(finding.rule())) + about(finding));
        Rules.byId(finding.rule()).map(Rule::title).ifPresent(title -> wrapped(title + "."));
        wrapped(Printable.of(finding.evidence()));
        Finding.Confidence sure = finding.confidence();
        // The evidence of our own findings says it in its sentence.
        if (sure != null && !finding.evidence().contains("95 % confidence")) {
            wrapped(paint(FAINT, confidence(sure)));
        }
        finding.keys().stream().limit(EXAMPLES).forEach(key -> line(INDENT + "· " + Printable.of(key)));
        if (finding.keys().size() > EXAMPLES) {
            line(INDENT + paint(FAINT, "· … more of them in the other formats"));
        }
        wrapped("→ " + Printable.of(finding.remedy()));
        line("");
    }

    private static String about(Finding finding) {
        String family = finding.family() == null ? "" : "  " + Printable.of(finding.family());
        return family + (finding.subject().isEmpty() ? "" : "  " + Printable.of(finding.subject()));
    }

    static String confidence(Finding.Confidence sure) {
        return "Of " + Figures.count(sure.sampled()) + " looked at " + Figures.count(sure.found())
                + "; of all, with 95 % confidence, " + Figures.share(sure.low()) + " to " + Figures.share(sure.high())
                + ".";
    }

    private void setAside(Verdict verdict) {
        if (!verdict.waived().isEmpty()) {
            heading("Waived");
            for (Verdict.Waived one : verdict.waived()) {
                line("  " + Printable.of(one.finding().rule()) + about(one.finding()) + "  until "
                        + one.waiver().until() + ": "
                        + Printable.of(one.waiver().reason()));
            }
            line("");
        }
        if (!verdict.known().isEmpty()) {
            heading("Known from the baseline");
            verdict.known().forEach(finding -> line("  " + Printable.of(finding.rule()) + about(finding)));
            line("");
        }
    }

    private void families(Report report) {
        List<FamilyReport> living = living(report);
        if (report.families().isEmpty()) {
            return;
        }
        heading("Families");
        boolean schema = report.families().stream().anyMatch(FamilyReport::declared);
        TextTable table = new TextTable("family", "type", "keys", "memory", "share", "largest", "ttl");
        for (FamilyReport family : living) {
            table.add(
                    Printable.of(family.name()) + (family.declared() || !schema ? "" : " ?"),
                    Printable.of(family.type()),
                    Figures.count(family.keys()),
                    Figures.bytes(family.bytes()),
                    share(family.bytes(), report.memory().used()),
                    family.largest() == null
                            ? ""
                            : Figures.bytes(family.largest().bytes()),
                    family.ttl() == null
                            ? "none"
                            : "≤ " + Figures.time(family.ttl().maxMs()));
        }
        table(table);
        if (!schema) {
            line(
                    "  No schema was given: these families are what names look like. `hotstate audit infer` drafts a schema.\n");
        } else if (living.stream().anyMatch(family -> !family.declared())) {
            line("  ? in no schema\n");
        }
        empty(report).ifPresent(remark -> line("  " + remark + "\n"));
    }

    static List<FamilyReport> living(Report report) {
        return report.families().stream().filter(family -> family.keys() > 0).toList();
    }

    /** A schema may declare far more than there is at a time. */
    static Optional<String> empty(Report report) {
        long empty = report.families().size() - living(report).size();
        return empty == 0
                ? Optional.empty()
                : Optional.of(Figures.counted(empty, "declared family has", "declared families have") + " no keys.");
    }

    private void memory(Memory memory) {
        heading("Memory");
        TextTable table = new TextTable("", "bytes", "share");
        table.add("families", Figures.bytes(memory.attributed()), share(memory.attributed(), memory.used()));
        memory.explained()
                .forEach((name, bytes) -> table.add(
                        Printable.of(name.replace('_', ' ')), Figures.bytes(bytes), share(bytes, memory.used())));
        table.add("used_memory", Figures.bytes(memory.used()), "");
        table(table);
    }

    private void activity(Activity activity) {
        if (!activity.commands().isEmpty()) {
            heading("Busiest commands");
            TextTable table = new TextTable("command", "now", "calls", "µs a call");
            activity.commands().stream()
                    .limit(MOST_COMMANDS)
                    .forEach(command -> table.add(
                            Printable.of(command.command()),
                            Figures.rate(command.callsPerSecond()),
                            Figures.count(command.calls()),
                            Figures.oneDigit(command.microsPerCall())));
            table(table);
        }
        if (!activity.slow().isEmpty()) {
            heading("Slow log");
            activity.slow().stream()
                    .limit(MOST_SLOW)
                    .forEach(entry -> line("  " + entry.at() + "  " + Figures.oneDigit(entry.micros() / 1000.0)
                            + " ms  " + Printable.of(entry.command()) + "  " + Printable.of(entry.client())));
            line("");
        }
        if (!activity.clients().isEmpty()) {
            heading("Clients");
            TextTable table = new TextTable("name", "user", "host", "connections");
            activity.clients().stream()
                    .limit(MOST_CLIENTS)
                    .forEach(client -> table.add(
                            client.name().isEmpty() ? "(no name)" : Printable.of(client.name()),
                            Printable.of(client.user()),
                            Printable.of(client.host()),
                            Figures.count(client.connections())));
            table(table);
        }
    }

    private void notLookedAt(Report report) {
        if (!report.notLookedAt().isEmpty()) {
            heading("Not looked at");
            report.notLookedAt()
                    .forEach(what -> line("  " + Printable.of(what.what()) + ": " + Printable.of(what.why())));
            line("");
        }
    }

    private void cost(Report report) {
        Cost cost = report.cost();
        line(paint(
                FAINT,
                "The audit took " + Figures.time(cost.millis()) + ", " + Figures.count(cost.commands()) + " commands, "
                        + Figures.bytes(cost.bytesReceived()) + " received, "
                        + Figures.oneDigit(cost.keysPerSecond()) + " keys a second"
                        + (cost.redisCpuMillis() < 0
                                ? ""
                                : ", " + Figures.time(cost.redisCpuMillis()) + " of Redis's CPU in all")
                        + ", " + Figures.oneDigit(cost.slowestMillis()) + " ms at most for an answer."));
    }

    private void summary(Verdict verdict) {
        Report report = verdict.report();
        String counts = Figures.counted(report.count(Severity.ERROR), "error", "errors") + ", "
                + Figures.counted(report.count(Severity.WARNING), "warning", "warnings") + ", "
                + Figures.counted(report.count(Severity.INFO), "note", "notes");
        String aside = verdict.waived().isEmpty() && verdict.known().isEmpty()
                ? ""
                : "; " + verdict.waived().size() + " waived, " + verdict.known().size() + " known";
        Severity worst = report.worst();
        line(paint(worst == null ? GREEN : colour(worst), counts + aside));
    }

    private void heading(String text) {
        line(paint(BOLD, text));
    }

    private void table(TextTable table) {
        List<String> lines = table.lines(look.width() - 2);
        line("  " + paint(FAINT, lines.getFirst()));
        lines.stream().skip(1).forEach(row -> line("  " + row));
        line("");
    }

    /** Between words, under the rule's name. Colours have no width, so a painted text may end a little early. */
    private void wrapped(String text) {
        StringBuilder row = new StringBuilder();
        for (String word : text.split(" ")) {
            if (!row.isEmpty() && INDENT.length() + row.length() + 1 + word.length() > look.width()) {
                line(INDENT + row);
                row.setLength(0);
            }
            row.append(row.isEmpty() ? "" : " ").append(word);
        }
        line(INDENT + row);
    }

    private void line(String text) {
        out.append(text).append('\n');
    }

    private String paint(String colour, String text) {
        return look.colour() ? colour + text + PLAIN : text;
    }

    private static String word(Severity severity) {
        return severity == Severity.INFO ? "note" : severity.word();
    }

    private static String colour(Severity severity) {
        return switch (severity) {
            case ERROR -> RED;
            case WARNING -> YELLOW;
            case INFO -> BLUE;
        };
    }

    private static String share(long part, long whole) {
        return whole <= 0 ? "" : Figures.share((double) part / whole);
    }
}
