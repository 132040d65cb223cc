package dev.hotstate.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.SetArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The command as people and pipelines call it, on a Redis with a password and a limit, whose keys are as declared. */
@ExtendWith(Testkit.class)
class AuditCommandIT {
    private static final String SCHEMA = """
            version: 1
            prefix: "prod:shop"
            families:
              - name: session
                pattern: "session:<id>"
                type: string
                owner: web
                lifetime: {kind: expires, ttl: 1h}
              - name: cart
                pattern: "cart:<id>"
                type: hash
                owner: web
                lifetime: {kind: kept, reason: "it is the order until it is paid"}
            """;
    private static final String QUICKLY = "--watch=100ms";

    @TempDir
    private static Path folder;

    private static RedisServer redis;
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();
    private Path schema;

    @BeforeAll
    static void start() {
        redis = RedisServer.start("requirepass secret", "maxmemory 200mb");
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @BeforeEach
    void fill() throws IOException {
        redis.flushAll();
        for (int i = 0; i < 20; i++) {
            redis.commands().set("prod:shop:session:s" + i, "on", SetArgs.Builder.ex(600));
            redis.commands().hset("prod:shop:cart:c" + i, Map.of("item", "tea", "count", "2"));
        }
        schema = write("schema.yaml", SCHEMA);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "infer", "diff"})
    void eachExplainsItself(String command) {
        assertThat(command.isEmpty() ? run("--help") : run(command, "--help")).isZero();
        assertThat(output.toString()).startsWith(("Usage: hotstate audit " + command).strip());
    }

    @Test
    void keysThatAreAsDeclaredAreClean() throws Exception {
        assertThat(audit("--format", "json")).as(output.toString()).isZero();
        JsonNode report = json();
        assertThat(report.path("keys").asLong()).isEqualTo(40);
        assertThat(report.at("/families/0/name").asText()).isEqualTo("session");
        assertThat(report.at("/families/0/keys").asLong()).isEqualTo(20);
        assertThat(report.findValuesAsText("severity")).doesNotContain("error");
    }

    @Test
    void anUndeclaredKeyIsAFindingAndExitOne() {
        redis.commands().set("prod:shop:tmp:1", "x");
        assertThat(audit()).isEqualTo(1);
        assertThat(output.toString()).contains("key-undeclared", "prod:shop:tmp:1", "1 error");
        assertThat(errors.toString()).isEmpty();
    }

    @Test
    void whatFailsIsTheCallersChoice() {
        redis.commands().set("prod:shop:tmp:1", "x");
        assertThat(audit("--fail-on", "never")).isZero();
        redis.commands().del("prod:shop:tmp:1");
        redis.commands().set("prod:shop:session:long", "on", SetArgs.Builder.ex(7_200));
        assertThat(audit("--fail-on", "error")).isZero();
        assertThat(audit("--fail-on", "warning")).isEqualTo(1);
    }

    @Test
    void whatIsInTheBaselineNoLongerCounts() throws IOException {
        redis.commands().set("prod:shop:tmp:1", "x");
        Path baseline = folder.resolve("baseline.json");
        assertThat(audit("--write-baseline", baseline.toString())).isZero();
        assertThat(audit("--baseline", baseline.toString())).isZero();
        assertThat(output.toString()).contains("Known from the baseline");

        redis.commands().set("prod:shop:cart:string", "x");
        assertThat(audit("--baseline", baseline.toString())).isEqualTo(1);
        assertThat(Files.readString(baseline)).contains("key-undeclared");
    }

    @Test
    void aWaiverHoldsUntilItsDayAndIsThenAFinding() throws IOException {
        redis.commands().set("prod:shop:tmp:1", "x");
        Path holds = write("holds.yaml", "- {rule: key-undeclared, reason: an import, until: 2999-12-31}\n");
        assertThat(audit("--waivers", holds.toString())).as(output.toString()).isZero();
        assertThat(output.toString()).contains("until 2999-12-31: an import");

        Path ended = write("ended.yaml", "- {rule: key-undeclared, reason: an import, until: 2020-12-31}\n");
        assertThat(audit("--waivers", ended.toString())).isEqualTo(1);
        assertThat(output.toString()).contains("waiver-expired", "ended on 2020-12-31");
    }

    @ParameterizedTest
    @CsvSource({
        "sarif, \"version\" : \"2.1.0\"",
        "junit, <testsuites",
        "html, <!doctype html>",
        "markdown, # Redis audit"
    })
    void aReportIsWrittenToAFile(String format, String has) throws IOException {
        Path file = folder.resolve("report." + format);
        assertThat(audit("--format", format, "--output", file.toString())).isZero();
        assertThat(Files.readString(file)).contains(has);
        assertThat(output.toString().lines()).hasSize(1).first().asString().startsWith("0 errors, ");
    }

    @Test
    void withoutASchemaTheChecklistIsLookedAt() throws Exception {
        redis.commands().set("loose", "x");
        assertThat(run(redis.uri(), QUICKLY, "--json", "--fail-on", "never")).isZero();
        assertThat(json().path("findings").findValuesAsText("rule"))
                .contains("name-convention")
                .doesNotContain("key-undeclared");
    }

    @Test
    void underItsInferredSchemaAKeyspaceHasNoUndeclaredKey() throws Exception {
        assertThat(run("infer", redis.uri(), "--json")).isZero();
        assertThat(json().path("families").isArray()).isTrue();
        Path drafted = folder.resolve("drafted.yaml");
        assertThat(run("infer", redis.uri(), "--output", drafted.toString()))
                .as(errors.toString())
                .isZero();
        assertThat(run(redis.uri(), QUICKLY, "--schema", drafted.toString(), "--format", "json", "--fail-on", "never"))
                .as(errors.toString())
                .isZero();
        assertThat(json().path("findings").findValuesAsText("rule")).doesNotContain("key-undeclared", "key-type");
        assertThat(json().path("families").findValuesAsText("declared")).containsOnly("true");
    }

    @Test
    void whatCouldNotReadEveryKeyIsNotClean() throws Exception {
        redis.commands()
                .aclSetuser(
                        "blind",
                        AclSetuserArgs.Builder.on()
                                .addPassword("pw")
                                .allKeys()
                                .allCommands()
                                .removeCommand(CommandType.SCAN));
        String url = "redis://blind:pw@127.0.0.1:" + redis.port();

        assertThat(run(url, QUICKLY, "--format", "json", "--fail-on", "never")).isEqualTo(2);
        assertThat(json().path("complete").asBoolean(true)).isFalse();
        assertThat(errors.toString()).contains("not every key was read");
        Path drafted = folder.resolve("drafted.yaml");
        assertThat(run("infer", url, "--output", drafted.toString())).isEqualTo(2);
        assertThat(errors.toString()).contains("SCAN: NOPERM");
        assertThat(drafted).doesNotExist();
    }

    @Test
    void twoReportsAndTwoSchemasAreCompared() throws IOException {
        Path before = folder.resolve("before.json");
        Path after = folder.resolve("after.json");
        assertThat(audit("--format", "json", "--output", before.toString())).isZero();
        redis.commands().set("prod:shop:tmp:1", "x");
        assertThat(audit("--format", "json", "--output", after.toString())).isEqualTo(1);
        output.getBuffer().setLength(0);

        assertThat(run("diff", before.toString(), after.toString())).isEqualTo(1);
        assertThat(output.toString()).contains("+ error key-undeclared");
        assertThat(run("diff", before.toString(), before.toString())).isZero();

        Path changed = write("changed.yaml", SCHEMA.replace("ttl: 1h", "ttl: 2h"));
        output.getBuffer().setLength(0);
        assertThat(run("diff", schema.toString(), changed.toString())).isEqualTo(1);
        assertThat(output.toString()).contains("session");
        assertThat(run("diff", schema.toString(), schema.toString())).isZero();
        assertThat(run("diff", schema.toString(), before.toString())).isEqualTo(2);
        assertThat(errors.toString()).contains("are not of one kind");
    }

    @Test
    void fromASchemaUsersAdviceAlertsAndADocumentArePrinted() {
        assertThat(run("--schema", schema.toString(), "--generate", "acl")).isZero();
        assertThat(output.toString())
                .startsWith("ACL SETUSER web reset on >CHANGE-ME")
                .contains("~prod:shop:cart:*");
        assertThat(run("--schema", schema.toString(), "--generate", "alerts")).isZero();
        assertThat(output.toString()).contains("alert: RedisMemoryHigh");
        assertThat(run("--schema", schema.toString(), "--generate", "doc")).isZero();
        assertThat(output.toString()).contains("### session");
        assertThat(run(redis.uri(), QUICKLY, "--schema", schema.toString(), "--generate", "conf"))
                .isZero();
        assertThat(output.toString())
                .contains("\nmaxmemory-policy noeviction\n")
                .containsPattern("\nmaxmemory \\d+mb\n");
    }

    @Test
    void whatIsPrintedInThePlaceOfAReportIsWrittenToAFileOrAsJsonToo() throws Exception {
        Path file = folder.resolve("alerts.yaml");
        assertThat(run("--schema", schema.toString(), "--generate", "alerts", "--output", file.toString()))
                .isZero();
        assertThat(output.toString()).isEmpty();
        assertThat(Files.readString(file)).contains("alert: RedisMemoryHigh");

        assertThat(run("--schema", schema.toString(), "--generate", "alerts", "--json"))
                .isZero();
        assertThat(json().at("/groups/0/rules/0/alert").asText()).isEqualTo("RedisDown");
        assertThat(run("--schema", schema.toString(), "--generate", "acl", "--json"))
                .isZero();
        assertThat(json().at("/0/name").asText()).isEqualTo("web");
        assertThat(run("--schema", schema.toString(), "--generate", "doc", "--json"))
                .isZero();
        assertThat(json().at("/families/0/name").asText()).isEqualTo("session");
        assertThat(run("--acl", "--json")).isZero();
        assertThat(json().path("acl").asText()).startsWith("ACL SETUSER hotstate-audit ");
    }

    @Test
    void everythingThatIsWrongWithASchemaIsALineOfItsOwn() throws IOException {
        Path wrong = write("wrong.yaml", """
                version: 2
                colour: red
                families:
                  - {name: a, pattern: "a:<", type: text, lifetime: {kind: forever}}
                  - {pattern: b, type: text, lifetime: any}
                """);
        assertThat(run(redis.uri(), "--schema", wrong.toString())).isEqualTo(2);
        assertThat(errors.toString().lines())
                .hasSize(7)
                .allMatch(line -> line.startsWith("hotstate: " + wrong + ": ") && line.contains("(line "));
    }

    @Test
    void aUserThatIsPrintedFromTheSchemaReachesItsKeysAndNoOthersAndIsNotTooWide() throws Exception {
        assertThat(run("--schema", schema.toString(), "--generate", "acl")).isZero();
        RedisLine.send(
                redis,
                List.of(output.toString().strip().replace("CHANGE-ME", "shop").split(" ")));
        try (var web = RedisLine.as(redis, "web", "shop")) {
            web.sync().set("prod:shop:session:s1", "on", SetArgs.Builder.ex(60));
            assertThat(web.sync().hget("prod:shop:cart:c1", "item")).isEqualTo("tea");
            assertThatThrownBy(() -> web.sync().get("prod:other:1")).hasMessageContaining("NOPERM");
            assertThatThrownBy(() -> web.sync().keys("*")).hasMessageContaining("NOPERM");

            assertThat(audit("--format", "json")).isZero();
            for (JsonNode finding : json().path("findings")) {
                assertThat(finding.path("rule").asText() + " "
                                + finding.path("subject").asText())
                        .isNotIn("acl-too-wide web", "command-dangerous web");
            }
        } finally {
            redis.commands().aclDeluser("web");
        }
    }

    @Test
    void theUserItNeedsIsPrintedAndIsEnough() throws Exception {
        assertThat(run("--acl")).isZero();
        String line = output.toString().strip().replace("CHANGE-ME", "look");
        List<String> words = List.of(line.split(" "));
        assertThat(words.subList(0, 2)).containsExactly("ACL", "SETUSER");
        RedisLine.send(redis, words);
        redis.commands().aclLogReset();

        String url = "redis://" + words.get(2) + ":look@127.0.0.1:" + redis.port();
        output.getBuffer().setLength(0);
        assertThat(run(url, QUICKLY, "--schema", schema.toString(), "--full", "--format", "json"))
                .as(output.toString() + errors)
                .isZero();
        assertThat(json().path("not_looked_at")).isEmpty();
        assertThat(redis.commands().aclLog()).isEmpty();
        redis.commands().aclDeluser(words.get(2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "redis://127.0.0.1:1; 127.0.0.1:1",
                "http://127.0.0.1; Redis URL is refused: it must begin with redis://",
                "redis://:secret@127.0.0.1:1 --schema no-such.yaml; there is no file no-such.yaml",
                "redis://127.0.0.1:1 --format pdf; --format must be one of text, json, sarif, junit, html, markdown, not \"pdf\"",
                "redis://127.0.0.1:1 --fail-on soon; --fail-on must be error, warning or never, not \"soon\"",
                "redis://127.0.0.1:1 --watch soon; \"soon\" is not a duration",
                "redis://127.0.0.1:1 --sample 1 --full; mutually exclusive",
                "--generate acl; --generate needs --schema",
                "redis://127.0.0.1:1 --baseline no-such.json; there is no file no-such.json",
                "redis://127.0.0.1:1 --waivers no-such.yaml; there is no file no-such.yaml",
                "redis://127.0.0.1:1 --output no-such/report; no-such/report cannot be written: there is no folder",
                "redis://127.0.0.1:1 --write-baseline no-such/known; no-such/known cannot be written: there is no folder",
                "infer redis://127.0.0.1:1 --output no-such/schema; no-such/schema cannot be written: there is no folder",
                "--fail-on error; give the URL of a Redis",
            })
    void whatCannotRunIsOneSentenceAndExitTwo(String line, String sentence) {
        assertThat(run(line.split(" "))).isEqualTo(2);
        assertThat(errors.toString())
                .startsWith("hotstate: ")
                .contains(sentence)
                .doesNotContain("secret", "\tat ");
        assertThat(errors.toString().lines()).hasSize(1);
    }

    @Test
    void aHostileNameDoesNotActOnTheTerminal() {
        redis.commands().set("prod:shop:\u001b[2J\u001b]0;owned\u0007\n", "x");
        assertThat(audit()).isEqualTo(1);
        assertThat(output.toString()).contains("\\x1b[2J").doesNotContain("\u001b", "\u0007");
    }

    private int audit(String... options) {
        var line = new ArrayList<>(List.of(redis.uri(), QUICKLY, "--schema", schema.toString()));
        line.addAll(List.of(options));
        return run(line.toArray(String[]::new));
    }

    private int run(String... words) {
        var line = new String[words.length + 1];
        line[0] = "audit";
        System.arraycopy(words, 0, line, 1, words.length);
        output.getBuffer().setLength(0);
        errors.getBuffer().setLength(0);
        return Main.commandLine()
                .setOut(new PrintWriter(output, true))
                .setErr(new PrintWriter(errors, true))
                .execute(line);
    }

    private JsonNode json() throws IOException {
        return new JsonMapper().readTree(output.toString());
    }

    private static Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
