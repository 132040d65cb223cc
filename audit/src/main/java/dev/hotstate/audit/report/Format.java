package dev.hotstate.audit.report;

import java.util.Locale;
import java.util.function.BiFunction;

/** What a report can be written as. */
public enum Format {
    TEXT(ReportText::write),
    JSON((verdict, presentation) -> ReportJson.write(verdict)),
    SARIF(ReportSarif::write),
    JUNIT(ReportJunit::write),
    HTML((verdict, presentation) -> ReportHtml.write(verdict)),
    MARKDOWN((verdict, presentation) -> ReportMarkdown.write(verdict));

    private final BiFunction<Verdict, Presentation, String> writer;

    Format(BiFunction<Verdict, Presentation, String> writer) {
        this.writer = writer;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The whole document. The same verdict gives the same document, to the byte. */
    public String write(Verdict verdict, Presentation presentation) {
        return writer.apply(verdict, presentation);
    }
}
