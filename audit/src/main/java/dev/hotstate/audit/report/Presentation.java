package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Severity;
import org.jspecify.annotations.Nullable;

/**
 * For whom a report is written.
 *
 * @param colour whether a terminal shows it
 * @param width characters on a line of it
 * @param failOn from which severity on a finding is a failure; null: none is
 * @param schema the file that the audit was made by; null: there was none
 */
public record Presentation(
        boolean colour,
        int width,
        @Nullable Severity failOn,
        @Nullable SchemaFile schema) {
    private static final int NARROWEST = 40;

    public static final Presentation PLAIN = new Presentation(false, 100, Severity.ERROR, null);

    public Presentation {
        width = Math.max(NARROWEST, width);
    }

    public Presentation inColour(int columns) {
        return new Presentation(true, columns, failOn, schema);
    }

    public Presentation failingOn(@Nullable Severity least) {
        return new Presentation(colour, width, least, schema);
    }

    public Presentation withSchema(@Nullable SchemaFile file) {
        return new Presentation(colour, width, failOn, file);
    }

    boolean isFailure(Finding finding) {
        return failOn != null && finding.severity().isAtLeast(failOn);
    }
}
