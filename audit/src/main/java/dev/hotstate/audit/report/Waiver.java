package dev.hotstate.audit.report;

import java.time.LocalDate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Findings of a rule that somebody allows for a time.
 *
 * @param rule its id
 * @param family a glob of the family it is about; null: any, and those about the server
 * @param key a glob that each example of the finding fits; null: any
 * @param subject a glob of the user, node, setting, command or field it is about; null: any
 * @param reason why, for the one who reads it later
 * @param until the last day on which it holds
 */
public record Waiver(
        String rule,
        @Nullable String family,
        @Nullable String key,
        @Nullable String subject,
        String reason,
        LocalDate until) {
    public Waiver {
        if (rule.isBlank()) {
            throw new IllegalArgumentException("rule must not be blank");
        }
        if (reason.isBlank()) {
            throw new IllegalArgumentException("reason must say why " + rule + " is waived");
        }
    }

    boolean covers(Finding finding) {
        return rule.equals(finding.rule())
                && fits(family, finding.family() == null ? "" : finding.family())
                && fits(subject, finding.subject())
                && (key == null
                        || !finding.keys().isEmpty() && finding.keys().stream().allMatch(name -> fits(key, name)));
    }

    boolean holdsOn(LocalDate day) {
        return !day.isAfter(until);
    }

    String described() {
        StringBuilder out = new StringBuilder(rule);
        if (family != null) {
            out.append(" in ").append(family);
        }
        if (subject != null) {
            out.append(" for ").append(subject);
        }
        if (key != null) {
            out.append(" on ").append(key);
        }
        return out.toString();
    }

    /** Two expired waivers of one rule and family are two findings. */
    String subjectOfFinding() {
        return rule + (subject == null ? "" : " " + subject) + (key == null ? "" : " " + key);
    }

    /** In a glob {@code *} stands for any text and {@code ?} for one character; all else is meant as it is. */
    private static boolean fits(@Nullable String glob, String text) {
        if (glob == null) {
            return true;
        }
        StringBuilder pattern = new StringBuilder();
        glob.codePoints().forEach(c -> {
            switch (c) {
                case '*' -> pattern.append(".*");
                case '?' -> pattern.append('.');
                default -> pattern.append(Pattern.quote(Character.toString(c)));
            }
        });
        return Pattern.compile(pattern.toString(), Pattern.DOTALL).matcher(text).matches();
    }
}
