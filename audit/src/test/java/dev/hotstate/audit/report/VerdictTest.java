package dev.hotstate.audit.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.audit.rules.Severity;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VerdictTest {
    private static final LocalDate DAY = LocalDate.of(2026, 11, 16);

    @Test
    void aFindingOfTheBaselineIsKnownWhateverItsNumbers() {
        Baseline baseline =
                Baseline.read(Baseline.of(Verdict.of(Reports.usual())).write());
        Finding later = new Finding(
                "key-undeclared",
                Severity.ERROR,
                "other:*",
                "",
                List.of("other:9"),
                "Now it is 99.",
                Map.of(),
                null,
                "x");
        Verdict verdict = Verdict.of(
                Reports.of(later, Reports.finding("tls-off", Severity.ERROR, null, "")), baseline, Waivers.NONE, DAY);
        assertThat(verdict.known()).containsExactly(later);
        assertThat(verdict.report().findings()).extracting(Finding::rule).containsExactly("tls-off");
        assertThat(verdict.fails(Severity.ERROR)).isTrue();
    }

    @Test
    void aKnownFindingThatBecameWorseCountsAgain() {
        Baseline baseline = Baseline.of(Verdict.of(Reports.of(Reports.finding("tls-off", Severity.WARNING, null, ""))));
        Verdict worse = Verdict.of(
                Reports.of(Reports.finding("tls-off", Severity.ERROR, null, "")), baseline, Waivers.NONE, DAY);
        assertThat(worse.known()).isEmpty();
        Verdict better = Verdict.of(
                Reports.of(Reports.finding("tls-off", Severity.INFO, null, "")), baseline, Waivers.NONE, DAY);
        assertThat(better.report().findings()).isEmpty();
    }

    @Test
    void aReportIsABaselineToo() {
        Baseline baseline = Baseline.read(Format.JSON.write(Verdict.of(Reports.usual()), Presentation.PLAIN));
        assertThat(Verdict.of(Reports.usual(), baseline, Waivers.NONE, DAY)
                        .report()
                        .findings())
                .isEmpty();
    }

    @Test
    void aBaselineIsTheSameTextForTheSameFindingsAndSurvivesHostileNames() {
        String text = Baseline.of(Verdict.of(Reports.hostile())).write();
        assertThat(Baseline.read(text)).isEqualTo(Baseline.of(Verdict.of(Reports.hostile())));
        assertThat(text.chars()).allMatch(c -> c == '\n' || c >= ' ' && c < 128);
        assertThat(Baseline.read(Baseline.NONE.write())).isEqualTo(Baseline.NONE);
    }

    @Test
    void whatIsNoBaselineIsRefused() {
        assertThatThrownBy(() -> Baseline.read("{}")).hasMessageContaining("baseline must have version: 1");
        assertThatThrownBy(() -> Baseline.read("]")).hasMessageContaining("cannot be read as JSON");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{rule: key-undeclared}; true",
                "{rule: key-undeclared, family: 'other:*'}; true",
                "{rule: key-undeclared, family: 'oth*'}; true",
                "{rule: key-undeclared, family: 'sess*'}; false",
                "{rule: key-undeclared, key: 'other:?'}; true",
                "{rule: key-undeclared, key: 'other:1'}; false",
                "{rule: key-undeclared, subject: 'x'}; false",
                "{rule: key-type}; false",
            })
    void aWaiverCoversWhatItNames(String waiver, boolean covers) {
        Waivers waivers = waivers(waiver.replace("}", ", reason: so it is, until: 2026-11-16}"));
        Verdict verdict = Verdict.of(Reports.usual(), Baseline.NONE, waivers, DAY);
        assertThat(verdict.waived()).hasSize(covers ? 1 : 0);
        assertThat(verdict.fails(Severity.ERROR)).isEqualTo(!covers);
    }

    @Test
    void anExpiredWaiverNoLongerCoversAndIsItselfAFinding() {
        Waivers waivers = waivers("{rule: key-undeclared, family: 'other:*', reason: we move it, until: 2026-11-14}");
        Verdict verdict = Verdict.of(Reports.usual(), Baseline.NONE, waivers, DAY);
        assertThat(verdict.waived()).isEmpty();
        assertThat(verdict.report().findings()).extracting(Finding::rule).contains("key-undeclared", "waiver-expired");
        Finding expired = verdict.report().findings().stream()
                .filter(finding -> finding.rule().equals("waiver-expired"))
                .findFirst()
                .orElseThrow();
        assertThat(expired.evidence())
                .isEqualTo(
                        "The waiver of key-undeclared in other:* ended on 2026-11-14, 2 days ago. It was granted because:"
                                + " we move it");
        assertThat(Verdict.of(Reports.clean(), Baseline.NONE, waivers, DAY).fails(Severity.WARNING))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{rule: no-such, reason: x, until: 2027-01-01}; waivers[0].rule: there is no rule \"no-such\"",
                "{rule: key-type, until: 2027-01-01}; waivers[0].reason is required",
                "{rule: key-type, reason: x}; waivers[0].until is required",
                "{rule: key-type, reason: x, until: soon}; waivers[0].until must be a date such as 2027-01-31, not \"soon\"",
                "{rule: key-type, reason: x, until: 2027-01-01, famly: y}; waivers[0].famly is no field of a waiver",
                "word; waivers[0] must be an object",
            })
    void aBadWaiverIsRefusedByItsField(String waiver, String message) {
        assertThatThrownBy(() -> waivers(waiver)).hasMessageStartingWith(message);
    }

    @Test
    void anEmptyFileOfWaiversWaivesNothing() {
        assertThat(Waivers.read("")).isEqualTo(Waivers.NONE);
        assertThat(Waivers.read("waivers: []")).isEqualTo(Waivers.NONE);
    }

    private static Waivers waivers(String one) {
        return Waivers.read("- " + one + "\n");
    }

    @Test
    void aReportAsABaselineAlsoHasWhatItsOwnBaselineKnew() {
        Finding known = Reports.finding("tls-off", Severity.ERROR, null, "");
        String report = ReportJson.write(new Verdict(Reports.usual(), List.of(), List.of(known)));

        assertThat(Baseline.read(report).knows(known)).isTrue();
    }

    @Test
    void ofTwoFindingsThatAreKnownAlikeTheWorseIsKnown() {
        Finding error = Reports.finding("node-down", Severity.ERROR, null, "");
        Finding warning = Reports.finding("node-down", Severity.WARNING, null, "");

        assertThat(Baseline.of(new Verdict(Reports.usual(), List.of(), List.of(error, warning)))
                        .knows(error))
                .isTrue();
    }
}
