package dev.hotstate.audit.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.hotstate.audit.rules.Severity;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportDiffTest {
    @Test
    void tellsWhatCameWhatWentAndWhatBecameWorse() {
        ReportDiff diff = ReportDiff.between(
                Reports.of(
                        Reports.finding("tls-off", Severity.WARNING, null, ""),
                        Reports.finding("key-big", Severity.WARNING, "feed", ""),
                        Reports.finding("evicted", Severity.WARNING, null, "")),
                Reports.of(
                        Reports.finding("tls-off", Severity.ERROR, null, ""),
                        Reports.finding("key-type", Severity.ERROR, "feed", ""),
                        Reports.finding("evicted", Severity.WARNING, null, "")));
        assertThat(diff.appeared()).extracting(Finding::rule).containsExactly("key-type", "tls-off");
        assertThat(diff.gone()).extracting(Finding::rule).containsExactly("key-big");
        assertThat(diff.isSame()).isFalse();
        assertThat(diff.text()).contains("+ error tls-off: ", "- warning key-big feed: ");
    }

    @Test
    void aReportIsTheSameAsItself() throws Exception {
        ReportDiff diff = ReportDiff.between(Reports.usual(), Reports.usual());
        assertThat(diff.isSame()).isTrue();
        assertThat(diff.families()).isEmpty();
        assertThat(diff.text()).startsWith("No finding came or went.");
        assertThat(new JsonMapper().readTree(diff.json()).path("same").asBoolean())
                .isTrue();
    }

    @Test
    void tellsFamiliesByTheirChangeOfMemoryAndSettingsByNode() {
        Report before = Reports.clean();
        Report after = new Report(
                before.server(),
                before.startedAt(),
                900,
                true,
                before.sampling(),
                List.of(before.families().getFirst(), Reports.family("new", true)),
                List.of(),
                before.memory(),
                before.cost(),
                List.of(),
                Activity.NONE,
                Map.of("10.0.0.1:6379", Map.of("maxmemory", "1gb", "appendonly", "no")));
        ReportDiff diff = ReportDiff.between(before, after);
        assertThat(diff.keys()).isEqualTo(-300);
        assertThat(diff.families())
                .extracting(ReportDiff.FamilyChange::name, ReportDiff.FamilyChange::bytes)
                .containsExactly(tuple("new", 5_000L), tuple("other:*", -5_000L));
        assertThat(diff.settings())
                .containsExactly(new ReportDiff.SettingChange("10.0.0.1:6379", "maxmemory", "0", "1gb"));
        assertThat(diff.text()).contains("~ 10.0.0.1:6379 maxmemory: 0 → 1gb", "keys -300");
    }

    @Test
    void hostileNamesDoNotActOnATerminal() {
        String text = ReportDiff.between(Reports.clean(), Reports.hostile()).text();
        assertThat(text).contains("\\x1b[31m").doesNotContain("\u001b", "\u009b", "\u202e");
    }
}
