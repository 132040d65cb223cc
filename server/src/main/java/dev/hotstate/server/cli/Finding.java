package dev.hotstate.server.cli;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * What one check of the doctor found.
 *
 * @param remedy how to mend it; empty if all is well
 */
record Finding(
        @JsonProperty("check") String check,
        @JsonProperty("level") Level level,
        @JsonProperty("detail") String detail,
        @JsonProperty("remedy") String remedy) {
    enum Level {
        OK,
        WARN,
        FAIL;

        @JsonValue
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static Finding ok(String check, String detail) {
        return new Finding(check, Level.OK, detail, "");
    }

    static Finding warn(String check, String detail, String remedy) {
        return new Finding(check, Level.WARN, detail, remedy);
    }

    static Finding fail(String check, String detail, String remedy) {
        return new Finding(check, Level.FAIL, detail, remedy);
    }

    /** One line for a terminal. */
    String line() {
        var mend = remedy.isEmpty() ? "" : "; " + remedy;
        return "%-4s  %-10s  %s%s".formatted(level.word(), check, detail, mend);
    }
}
