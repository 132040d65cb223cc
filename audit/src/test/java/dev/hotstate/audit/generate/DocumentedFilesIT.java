package dev.hotstate.audit.generate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.audit.report.Waiver;
import dev.hotstate.audit.report.Waivers;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Lifetime;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.SchemaReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The files that the documents show are read as the documents say. */
class DocumentedFilesIT {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @Test
    void theSchemaOfTheDocumentIsASchema() throws IOException {
        List<String> shown = shownIn("audit-schema.md");
        assertThat(shown).hasSize(1);
        Schema schema = SchemaReader.read(shown.getFirst());
        assertThat(schema.prefix()).isEqualTo("prod:shop");
        assertThat(schema.families()).extracting(Family::name).containsExactly("session", "cart", "recent");
        assertThat(schema.family("session").orElseThrow().lifetime())
                .isEqualTo(new Lifetime.Expires(Duration.ofDays(1)));
        assertThat(schema.family("cart").orElseThrow().tag()).isEqualTo("{user:<user>}");
        assertThat(AclUsers.of(schema).getFirst().commands()).contains("publish", "hset", "lpush");
    }

    @Test
    void theWaiversOfTheDocumentsAreWaivers() throws IOException {
        List<String> shown = shownIn("audit.md");
        String waivers = shown.stream()
                .filter(text -> text.startsWith("- rule:"))
                .findFirst()
                .orElseThrow();
        assertThat(Waivers.read(waivers).all()).extracting(Waiver::rule).containsExactly("key-big", "key-undeclared");
        for (String text : shownIn("rules/key-big.md")) {
            assertThat(Waivers.read(text).all()).hasSize(1);
        }
    }

    @Test
    void theListOfRulesNamesEachOnce() throws IOException {
        String list = Files.readString(DOCS.resolve("rules/README.md"));
        Rules.all().forEach(rule -> assertThat(list).containsOnlyOnce("[" + rule.id() + "]("));
    }

    private static List<String> shownIn(String file) throws IOException {
        return YAML.matcher(Files.readString(DOCS.resolve(file)))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
