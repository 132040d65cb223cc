package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A report after somebody has decided on its findings.
 *
 * @param report with the findings that are left, and one for each waiver that has expired
 * @param waived those that somebody has allowed for a time
 * @param known those that an earlier audit had found already
 */
public record Verdict(Report report, List<Waived> waived, List<Finding> known) {

    /** @param waiver who allowed it, why, and until when */
    public record Waived(Finding finding, Waiver waiver) {}

    public Verdict {
        waived = List.copyOf(waived);
        known = List.copyOf(known);
    }

    /** Nobody has decided anything. */
    public static Verdict of(Report report) {
        return new Verdict(report, List.of(), List.of());
    }

    /** @param today the day by which waivers end */
    public static Verdict of(Report report, Baseline baseline, Waivers waivers, LocalDate today) {
        List<Finding> left = new ArrayList<>();
        List<Waived> waived = new ArrayList<>();
        List<Finding> known = new ArrayList<>();
        for (Finding finding : report.findings()) {
            Optional<Waiver> waiver = waivers.of(finding, today);
            if (waiver.isPresent()) {
                waived.add(new Waived(finding, waiver.get()));
            } else if (baseline.knows(finding)) {
                known.add(finding);
            } else {
                left.add(finding);
            }
        }
        waivers.expired(today).forEach(waiver -> left.add(expired(waiver, today)));
        return new Verdict(report.withFindings(left), waived, known);
    }

    /** Whether a finding that is left is as bad as this, or worse; null: none is bad enough. */
    public boolean fails(@Nullable Severity least) {
        return least != null
                && report.findings().stream()
                        .anyMatch(finding -> finding.severity().isAtLeast(least));
    }

    private static Finding expired(Waiver waiver, LocalDate today) {
        long days = today.toEpochDay() - waiver.until().toEpochDay();
        return new Finding(
                Rules.WAIVER_EXPIRED.id(),
                Rules.WAIVER_EXPIRED.severity(),
                waiver.family(),
                waiver.subjectOfFinding(),
                List.of(),
                "The waiver of " + waiver.described() + " ended on " + waiver.until() + ", "
                        + Figures.counted(days, "day", "days") + " ago. It was granted because: " + waiver.reason(),
                Map.of("days", days),
                null,
                Rules.WAIVER_EXPIRED.remedy());
    }
}
