package dev.hotstate.audit.rules;

import java.util.Locale;

/** How bad a finding is, the worst first. */
public enum Severity {
    /** Data can be lost, read by others, or grow without bound. */
    ERROR,
    /** It works, and will hurt. */
    WARNING,
    /** Worth knowing. */
    INFO;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public boolean isAtLeast(Severity other) {
        return compareTo(other) <= 0;
    }

    /** @throws IllegalArgumentException naming the word that is none */
    public static Severity of(String word) {
        for (Severity severity : values()) {
            if (severity.word().equals(word)) {
                return severity;
            }
        }
        throw new IllegalArgumentException("severity must be error, warning or info, not \"" + word + "\"");
    }
}
