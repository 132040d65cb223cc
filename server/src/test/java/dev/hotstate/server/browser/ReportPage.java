package dev.hotstate.server.browser;

import dev.hotstate.audit.report.Format;
import dev.hotstate.audit.report.Presentation;
import dev.hotstate.audit.report.ReportJson;
import dev.hotstate.audit.report.Verdict;

/** What {@code hotstate audit --format html} writes of a report. */
final class ReportPage {
    private ReportPage() {}

    static String of(String json) {
        return Format.HTML.write(Verdict.of(ReportJson.read(json)), Presentation.PLAIN);
    }
}
