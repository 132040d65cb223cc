package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is printed from the declarations of keys; no server runs. */
class KeyspaceCommandIT {
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @ParameterizedTest
    @ValueSource(strings = {"docs", "acl", "memory", "schema"})
    void eachExplainsItself(String command) {
        assertThat(run(command, "--help")).isZero();
        assertThat(output.toString()).startsWith("Usage: hotstate keyspace " + command);
    }

    @Test
    void theDocumentTellsEveryFamily() {
        assertThat(run("docs")).isZero();
        assertThat(output.toString()).contains("{<partition>}:incarnation", "{<partition>}:chore:schedule");
    }

    @Test
    void theSchemaIsYaml() throws Exception {
        assertThat(run("schema")).isZero();
        assertThat(new YAMLMapper().readTree(output.toString()).findValuesAsText("owner"))
                .contains("core", "server");
    }

    @Test
    void theAclIsPrintedForThePromptForAFileAndForPrograms() throws Exception {
        assertThat(run("acl")).isZero();
        assertThat(output.toString().lines()).allMatch(line -> line.startsWith("ACL SETUSER hotstate"));
        output.getBuffer().setLength(0);
        assertThat(run("acl", "--aclfile")).isZero();
        assertThat(output.toString().lines()).allMatch(line -> line.startsWith("user hotstate"));
        output.getBuffer().setLength(0);
        assertThat(run("acl", "--json")).isZero();
        assertThat(new JsonMapper().readTree(output.toString()).findValuesAsText("name"))
                .contains("hotstate", "hotstate-core", "hotstate-server");
    }

    @Test
    void memoryIsEstimatedForAsManyKeysAsAsked() throws Exception {
        assertThat(run("memory", "--json", "--keys", "incarnation=1000")).isZero();
        for (var row : new JsonMapper().readTree(output.toString())) {
            long keys = row.get("family").asText().equals("incarnation") ? 1000 : 1;
            assertThat(row.get("keys").asLong()).isEqualTo(keys);
            assertThat(row.get("bytes").asLong())
                    .isEqualTo(keys * row.get("bytes_per_key").asLong());
        }
    }

    @Test
    void aFamilyThatIsNotThereIsOneSentence() {
        assertThat(run("memory", "--keys", "nothing=1")).isEqualTo(2);
        assertThat(errors.toString().lines())
                .containsExactly(
                        "hotstate: there is no family \"nothing\"; hotstate keyspace docs names those there are");
    }

    @Test
    void fewerKeysThanNoneAndMoreThanThereCanBeAreRefused() {
        assertThat(run("memory", "--keys", "incarnation=-1")).isEqualTo(2);
        assertThat(run("memory", "--keys", "incarnation=9223372036854775807")).isEqualTo(2);
        assertThat(errors.toString().lines())
                .hasSize(2)
                .allMatch(line -> line.endsWith("it must be from 0 to 1000000000000"));
        assertThat(output.toString()).isEmpty();
    }

    @Test
    void theTableOfMemoryStaysInItsColumnsHoweverLongANameIs() {
        assertThat(run("memory")).isZero();
        assertThat(output.toString().lines().map(String::length).distinct()).hasSize(1);
    }

    private int run(String... words) {
        var line = new String[words.length + 1];
        line[0] = "keyspace";
        System.arraycopy(words, 0, line, 1, words.length);
        return Main.commandLine()
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(errors, true))
                .execute(line);
    }
}
