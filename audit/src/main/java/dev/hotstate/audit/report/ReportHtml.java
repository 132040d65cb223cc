package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** A report as one page that needs nothing else: no script, no font, no file from elsewhere; light and dark. */
final class ReportHtml {
    private static final String CSS = css();
    private static final int MOST_ROWS = 50;

    private final StringBuilder page = new StringBuilder();

    private ReportHtml() {}

    static String write(Verdict verdict) {
        ReportHtml html = new ReportHtml();
        html.document(verdict);
        return html.page.toString();
    }

    private void document(Verdict verdict) {
        Report report = verdict.report();
        String title = "Redis audit of " + report.server().address();
        line("<!doctype html>");
        line("<html lang=\"en\"><head><meta charset=\"utf-8\">");
        line("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
        line("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">");
        line("<title>" + Markup.text(title) + "</title>");
        line("<style>\n" + CSS + "</style></head><body><main>");
        head(title, verdict);
        findings(report);
        setAside(verdict);
        memory(report);
        families(report);
        activity(report.activity());
        nodes(report.server());
        rest(report);
        line("</main></body></html>");
    }

    private void head(String title, Verdict verdict) {
        Report report = verdict.report();
        Server server = report.server();
        line("<h1>" + Markup.text(title) + "</h1>");
        line("<p class=\"faint\">"
                + Markup.text(
                        server.software() + ", " + server.kind() + ", " + report.startedAt() + ", " + looked(report))
                + "</p>");
        line("<dl class=\"tiles\">");
        tile("error", "Errors", Figures.count(report.count(Severity.ERROR)));
        tile("warning", "Warnings", Figures.count(report.count(Severity.WARNING)));
        tile("info", "Notes", Figures.count(report.count(Severity.INFO)));
        tile("plain", "Keys", Figures.count(report.keys()));
        tile("plain", "Families", Figures.count(report.families().size()));
        tile("plain", "Memory", Figures.bytes(report.memory().used()));
        line("</dl>");
    }

    private static String looked(Report report) {
        return (report.complete() ? "every key seen" : "not every key seen") + ", "
                + (report.sampling().full()
                        ? "each looked at"
                        : "up to " + Figures.count(report.sampling().perFamily()) + " of each family looked at");
    }

    private void tile(String kind, String name, String value) {
        line("<div class=\"" + kind + "\"><dt>" + name + "</dt><dd>" + Markup.text(value) + "</dd></div>");
    }

    private void findings(Report report) {
        line("<h2>Findings</h2>");
        if (report.findings().isEmpty()) {
            line("<p>Nothing was found.</p>");
        }
        report.findings().forEach(this::finding);
    }

    private void finding(Finding finding) {
        line("<article class=\"" + finding.severity().word() + "\">");
        line("<h3><b>" + finding.severity().word() + "</b><code>" + Markup.text(finding.rule()) + "</code>"
                + about(finding) + "</h3>");
        Rules.byId(finding.rule())
                .map(Rule::title)
                .ifPresent(title -> line("<p><strong>" + Markup.text(title) + ".</strong></p>"));
        line("<p>" + Markup.text(finding.evidence()) + "</p>");
        if (finding.confidence() != null) {
            line("<p class=\"faint\">" + Markup.text(ReportText.confidence(finding.confidence())) + "</p>");
        }
        if (!finding.keys().isEmpty()) {
            line("<ul>");
            finding.keys().forEach(key -> line("<li><code>" + Markup.text(key) + "</code></li>"));
            line("</ul>");
        }
        line("<p class=\"remedy\">→ " + Markup.text(finding.remedy()) + "</p></article>");
    }

    private static String about(Finding finding) {
        String family = finding.family() == null ? "" : " <span>" + Markup.text(finding.family()) + "</span>";
        return family + (finding.subject().isEmpty() ? "" : " <span>" + Markup.text(finding.subject()) + "</span>");
    }

    private void setAside(Verdict verdict) {
        if (!verdict.waived().isEmpty()) {
            line("<h2>Waived</h2><ul>");
            verdict.waived()
                    .forEach(one -> line("<li><code>"
                            + Markup.text(one.finding().rule()) + "</code>"
                            + about(one.finding()) + " until " + one.waiver().until() + ": "
                            + Markup.text(one.waiver().reason()) + "</li>"));
            line("</ul>");
        }
        if (!verdict.known().isEmpty()) {
            line("<h2>Known from the baseline</h2><ul>");
            verdict.known()
                    .forEach(finding ->
                            line("<li><code>" + Markup.text(finding.rule()) + "</code>" + about(finding) + "</li>"));
            line("</ul>");
        }
    }

    private void memory(Report report) {
        line("<h2>Memory</h2>");
        line("<div class=\"chart\">" + MemoryCharts.whole(report.memory()) + "</div>");
        line("<h2>Memory by family</h2>");
        line("<div class=\"chart\">" + MemoryCharts.families(report) + "</div>");
    }

    private void families(Report report) {
        if (report.families().isEmpty()) {
            return;
        }
        line("<h2>Families</h2>");
        table(List.of("family", "pattern", "type", "lifetime", "#keys", "#memory", "#longest TTL", "#largest key"));
        for (FamilyReport family : ReportText.living(report)) {
            line("<tr><td>" + Markup.text(family.name()) + (family.declared() ? "" : " <i>(not declared)</i>")
                    + "</td><td><code>" + Markup.text(family.pattern()) + "</code></td><td>"
                    + Markup.text(family.type()) + "</td><td>" + Markup.text(family.lifetime()) + "</td>"
                    + number(Figures.count(family.keys()))
                    + number(Figures.bytes(family.bytes())
                            + (family.bytesPlusMinus() == 0 ? "" : " ± " + Figures.bytes(family.bytesPlusMinus())))
                    + number(
                            family.ttl() == null
                                    ? "none"
                                    : Figures.time(family.ttl().maxMs()))
                    + number(
                            family.largest() == null
                                    ? ""
                                    : Figures.bytes(family.largest().bytes()))
                    + "</tr>");
        }
        line("</table></div>");
        ReportText.empty(report).ifPresent(remark -> line("<p class=\"faint\">" + remark + "</p>"));
    }

    private void activity(Activity activity) {
        if (!activity.commands().isEmpty()) {
            line("<h2>Commands</h2>");
            table(List.of("command", "#now", "#calls", "#µs a call"));
            activity.commands().stream()
                    .limit(MOST_ROWS)
                    .forEach(command -> line("<tr><td><code>" + Markup.text(command.command()) + "</code></td>"
                            + number(Figures.rate(command.callsPerSecond())) + number(Figures.count(command.calls()))
                            + number(Figures.oneDigit(command.microsPerCall())) + "</tr>"));
            line("</table></div>");
        }
        if (!activity.slow().isEmpty()) {
            line("<h2>Slow log</h2>");
            table(List.of("at", "#ms", "command", "client", "node"));
            activity.slow().stream()
                    .limit(MOST_ROWS)
                    .forEach(entry -> line("<tr><td>" + entry.at() + "</td>"
                            + number(Figures.oneDigit(entry.micros() / 1000.0)) + "<td><code>"
                            + Markup.text(entry.command()) + "</code></td><td>" + Markup.text(entry.client())
                            + "</td><td>" + Markup.text(entry.node()) + "</td></tr>"));
            line("</table></div>");
        }
        if (!activity.clients().isEmpty()) {
            line("<h2>Clients</h2>");
            table(List.of("name", "user", "host", "library", "#connections", "last commands"));
            activity.clients().stream()
                    .limit(MOST_ROWS)
                    .forEach(client -> line("<tr><td>" + Markup.text(client.name()) + "</td><td>"
                            + Markup.text(client.user()) + "</td><td>" + Markup.text(client.host()) + "</td><td>"
                            + Markup.text(client.library()) + "</td>" + number(Figures.count(client.connections()))
                            + "<td><code>" + Markup.text(String.join(" ", client.lastCommands()))
                            + "</code></td></tr>"));
            line("</table></div>");
        }
    }

    private void nodes(Server server) {
        if (server.nodes().isEmpty()) {
            return;
        }
        line("<h2>Nodes</h2>");
        table(List.of("node", "role", "state", "#keys", "#memory", "#clients", "#operations"));
        server.nodes()
                .forEach(node -> line("<tr><td>" + Markup.text(node.address()) + "</td><td>" + Markup.text(node.role())
                        + "</td><td>" + (node.up() ? node.scanned() ? "read" : "up" : "down") + "</td>"
                        + number(Figures.count(node.keys()))
                        + number(Figures.bytes(node.usedMemory())
                                + (node.maxMemory() == 0 ? "" : " of " + Figures.bytes(node.maxMemory())))
                        + number(Figures.count(node.clients())
                                + (node.maxClients() == 0 ? "" : " of " + Figures.count(node.maxClients())))
                        + number(Figures.rate(node.opsPerSecond())) + "</tr>"));
        line("</table></div>");
    }

    private void rest(Report report) {
        if (!report.notLookedAt().isEmpty()) {
            line("<h2>Not looked at</h2><ul>");
            report.notLookedAt()
                    .forEach(what -> line(
                            "<li><code>" + Markup.text(what.what()) + "</code>: " + Markup.text(what.why()) + "</li>"));
            line("</ul>");
        }
        Cost cost = report.cost();
        line("<h2>Cost</h2><p class=\"faint\">"
                + Markup.text("The audit took " + Figures.time(cost.millis()) + " and "
                        + Figures.count(cost.commands()) + " commands, received " + Figures.bytes(cost.bytesReceived())
                        + ", read " + Figures.oneDigit(cost.keysPerSecond()) + " names a second, and waited at most "
                        + Figures.oneDigit(cost.slowestMillis()) + " ms for an answer.")
                + "</p>");
    }

    /** A heading that begins with # stands above numbers. */
    private void table(List<String> headings) {
        StringBuilder row = new StringBuilder("<div class=\"scroll\"><table><tr>");
        headings.forEach(heading -> row.append(
                heading.startsWith("#")
                        ? "<th class=\"n\">" + heading.substring(1) + "</th>"
                        : "<th>" + heading + "</th>"));
        line(row + "</tr>");
    }

    private static String number(String text) {
        return "<td class=\"n\">" + Markup.text(text) + "</td>";
    }

    private void line(String text) {
        page.append(text).append('\n');
    }

    private static String css() {
        try (InputStream file = Objects.requireNonNull(ReportHtml.class.getResourceAsStream("report.css"))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
