package dev.hotstate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.SchemaReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Short words for audits in tests. */
final class Audits {
    /** Rates are of no interest to most tests. */
    static final AuditOptions QUICK = AuditOptions.DEFAULT.withWatch(Duration.ZERO);

    private static final Auditor AUDITOR = new Auditor(InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")));

    private Audits() {}

    static Report of(String url, AuditOptions options) throws InterruptedException {
        return of(url, options, Progress.NONE);
    }

    static Report of(String url, AuditOptions options, Progress progress) throws InterruptedException {
        return AUDITOR.audit(AuditTarget.of(url), options, progress);
    }

    static Report of(String url, String schema) throws InterruptedException {
        return of(url, QUICK.withSchema(SchemaReader.read(schema)));
    }

    static Report of(String url, Schema schema) throws InterruptedException {
        return of(url, QUICK.withSchema(schema));
    }

    static List<Finding> findings(Report report, Rule rule) {
        return report.findings().stream()
                .filter(finding -> finding.rule().equals(rule.id()))
                .toList();
    }

    static Finding only(Report report, Rule rule) {
        assertThat(findings(report, rule))
                .as("%s among %s", rule, rules(report))
                .hasSize(1);
        return findings(report, rule).getFirst();
    }

    static List<String> rules(Report report) {
        return report.findings().stream().map(Finding::rule).distinct().toList();
    }
}
