package dev.hotstate.audit.checks;

import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Severity;
import dev.hotstate.audit.scan.Noted;
import dev.hotstate.audit.scan.SeenFamily;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A finding on its way: {@code Draw.of(rule).in(family).about(noted).says("…")}. */
final class Draw {
    private final Rule rule;
    private final Map<String, Number> numbers = new TreeMap<>();
    private Severity severity;
    private @Nullable String family;
    private String subject = "";
    private List<String> keys = List.of();
    private Finding.@Nullable Confidence confidence;

    private Draw(Rule rule) {
        this.rule = rule;
        this.severity = rule.severity();
    }

    static Draw of(Rule rule) {
        return new Draw(rule);
    }

    Draw in(SeenFamily seen) {
        family = seen.name();
        return this;
    }

    /** What tells it from another finding of the rule. */
    Draw on(String what) {
        subject = what;
        return this;
    }

    Draw as(Severity other) {
        severity = other;
        return this;
    }

    Draw keys(List<String> examples) {
        keys = examples;
        return this;
    }

    Draw number(String name, Number value) {
        numbers.put(name, value);
        return this;
    }

    /** Some of the keys of a family that were looked at; where these are a sample, with how sure that is. */
    Draw about(Noted noted, SeenFamily seen) {
        long looked = seen.look().looked();
        long all = seen.tally().count();
        keys = noted.examples();
        number("found", noted.count()).number("looked_at", looked).number("keys", all);
        if (looked < all) {
            confidence = Wilson.interval(noted.count(), looked);
        }
        return this;
    }

    Finding says(String evidence) {
        String sure = confidence == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        "; from a sample, so between %s and %s of the family's keys with 95 %% confidence",
                        percent(confidence.low()),
                        percent(confidence.high()));
        return new Finding(
                rule.id(), severity, family, subject, keys, evidence + sure, numbers, confidence, rule.remedy());
    }

    static String percent(double share) {
        double percent = share * 100;
        return String.format(Locale.ROOT, percent > 0 && percent < 10 ? "%.1f %%" : "%.0f %%", percent);
    }

    /** {@code 1,234 keys}, {@code 1 key}. */
    static String count(long number, String one) {
        return String.format(Locale.ROOT, "%,d %s%s", number, one, number == 1 ? "" : "s");
    }

    static String of(Noted noted, SeenFamily seen) {
        return String.format(
                Locale.ROOT,
                "%,d of %s looked at",
                noted.count(),
                count(seen.look().looked(), "key"));
    }

    static String bytes(double bytes) {
        String[] units = {"B", "KB", "MB", "GB", "TB"};
        int unit = 0;
        double value = bytes;
        while (value >= 1024 && unit < units.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, unit == 0 || value >= 100 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    }
}
