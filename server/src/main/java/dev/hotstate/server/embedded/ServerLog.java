package dev.hotstate.server.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The log file of an embedded server: the first place to look when it does not start. */
final class ServerLog {
    private static final Pattern TELLING = Pattern.compile("(?i)fatal|error|could not|can't|failed|denied|refused");

    private ServerLog() {}

    /** The last line that tells of a fault, or where to look for it. */
    static String lastFault(Path log) {
        return lines(log).reversed().stream()
                .filter(line -> TELLING.matcher(line).find())
                .findFirst()
                .map(line -> line.strip() + " (" + log + ")")
                .orElse("see " + log);
    }

    private static List<String> lines(Path log) {
        try {
            return new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
        } catch (IOException absent) {
            return List.of();
        }
    }
}
