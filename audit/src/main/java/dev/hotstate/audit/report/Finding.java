package dev.hotstate.audit.report;

import dev.hotstate.audit.rules.Severity;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is wrong.
 *
 * @param rule its id
 * @param family the family it is about, null where it is about the server
 * @param subject what else tells it apart from another finding of the rule: a user, a node, a setting, a command, a field;
 *     nothing where the family says it all
 * @param keys up to ten examples, escaped, in order
 * @param evidence a sentence with the numbers
 * @param numbers the numbers of that sentence, by name: {@link Long} or {@link Double}
 * @param confidence how sure it is, null where everything was looked at
 */
public record Finding(
        String rule,
        Severity severity,
        @Nullable String family,
        String subject,
        List<String> keys,
        String evidence,
        Map<String, Number> numbers,
        @Nullable Confidence confidence,
        String remedy) {
    public static final int MOST_KEYS = 10;

    /** The order of a report: it depends on what was found alone, so two reports can be compared line by line. */
    public static final Comparator<Finding> ORDER = Comparator.comparing(Finding::severity)
            .thenComparing(Finding::rule)
            .thenComparing(finding -> finding.family == null ? "" : finding.family)
            .thenComparing(Finding::subject)
            .thenComparing(Finding::evidence);

    /**
     * What a sample says of the whole: with 95 % confidence the share of keys that are so lies between these two.
     *
     * @param sampled keys that were looked at
     * @param found how many of them are so
     */
    public record Confidence(long sampled, long found, double low, double high) {}

    public Finding {
        keys = keys.stream().sorted().limit(MOST_KEYS).toList();
        Map<String, Number> plain = new TreeMap<>();
        numbers.forEach((name, number) -> plain.put(name, plain(number)));
        numbers = Collections.unmodifiableMap(plain);
    }

    private static Number plain(Number number) {
        if (number instanceof Double || number instanceof Float) {
            return number.doubleValue();
        }
        return number.longValue();
    }

    /** What it is known by in a baseline: it stays while numbers, examples and words change. */
    public String fingerprint() {
        return rule + "|" + (family == null ? "" : family) + "|" + subject;
    }
}
