package dev.hotstate.audit.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RulesDocumentIT {
    private static final Path COMMITTED = Path.of("..", "docs", "rules");

    /** With -Ddocs.write=true the pages are printed anew instead. */
    @Test
    void theCommittedPagesAreThoseOfTheRules() throws IOException {
        if (Boolean.getBoolean("docs.write")) {
            write();
        }
        assertThat(committed())
                .as("print them anew: mvn verify -pl audit -am -Dit.test=RulesDocumentIT -Ddocs.write=true")
                .isEqualTo(RulePages.all());
    }

    private static void write() throws IOException {
        Files.createDirectories(COMMITTED);
        for (String old : committed().keySet()) {
            Files.delete(COMMITTED.resolve(old));
        }
        for (Map.Entry<String, String> page : RulePages.all().entrySet()) {
            Files.writeString(COMMITTED.resolve(page.getKey()), page.getValue());
        }
    }

    private static Map<String, String> committed() throws IOException {
        Map<String, String> pages = new TreeMap<>();
        try (Stream<Path> files = Files.list(COMMITTED)) {
            for (Path file : files.toList()) {
                pages.put(file.getFileName().toString(), Files.readString(file));
            }
        }
        return pages;
    }
}
