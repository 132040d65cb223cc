package dev.hotstate.audit.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class FormatTest {
    private static final Verdict USUAL = Verdict.of(Reports.usual());
    private static final Verdict ASIDE = new Verdict(
            Reports.usual(),
            List.of(new Verdict.Waived(
                    Reports.finding("key-big", Severity.WARNING, "feed", ""),
                    new Waiver("key-big", "feed", null, null, "until it is split", LocalDate.of(2027, 3, 31)))),
            List.of(Reports.finding("tls-off", Severity.ERROR, null, "")));

    @ParameterizedTest
    @EnumSource
    void theSameReportIsTheSameDocumentToTheByte(Format format) {
        assertThat(write(format, ASIDE)).isEqualTo(write(format, ASIDE)).isNotBlank();
    }

    /** Colours of our own are the one thing in a document that may act on a terminal. */
    @ParameterizedTest
    @EnumSource
    void nothingThatCameFromRedisActsOnATerminalOrALog(Format format) {
        String document = write(format, Verdict.of(Reports.hostile()));
        assertThat(document.codePoints().filter(c -> c != '\n' && isActing(c)).toArray())
                .isEmpty();
        assertThat(document).contains("[31m");
    }

    @Test
    void aColouredReportHasOnlyItsOwnColours() {
        String document = Format.TEXT.write(Verdict.of(Reports.hostile()), Presentation.PLAIN.inColour(120));
        assertThat(document).contains("\u001b[31m");
        assertThat(document.replaceAll("\u001b\\[\\d+m", "")
                        .codePoints()
                        .filter(c -> c != '\n' && isActing(c))
                        .toArray())
                .isEmpty();
    }

    @Test
    void textTellsEachFindingWithEvidenceExamplesAndRemedy() {
        String text = write(Format.TEXT, ASIDE);
        assertThat(text)
                .contains("redis.example.org:6379", "redis 7.2.4", "1,200 keys")
                .containsPattern("error +key-undeclared +other:\\*")
                .contains("Twelve of 1,200 keys are so.", "· other:1", "→ Mend it.")
                .contains("with 95 % confidence, 0.4 % to 2.5 %")
                .contains("CONFIG GET: NOPERM")
                .contains("key-big  feed  until 2027-03-31: until it is split")
                .contains("1 error, 1 warning, 1 note; 1 waived, 1 known");
        assertThat(text.indexOf("key-undeclared"))
                .isLessThan(text.indexOf("acl-too-wide"))
                .isPositive();
    }

    @Test
    void linesOfTextKeepToTheWidthOfTheTerminal() {
        String text = Format.TEXT.write(USUAL, new Presentation(false, 60, null, null));
        assertThat(text.lines()
                        .filter(line -> !line.startsWith("hotstate audit of") && !line.startsWith("The audit took")))
                .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(75));
        assertThat(text.lines().filter(line -> line.startsWith("    "))).allMatch(line -> line.length() <= 60);
    }

    @Test
    void jsonHasTheMembersOfTheContractAndIsReadBack() throws Exception {
        JsonNode json = new JsonMapper().readTree(write(Format.JSON, ASIDE));
        assertThat(json.at("/server/address").asText()).isEqualTo("redis.example.org:6379");
        assertThat(json.path("keys").asLong()).isEqualTo(1_200);
        assertThat(json.at("/families/0/name").asText()).isEqualTo("session");
        assertThat(json.at("/families/0/bytes").asLong()).isEqualTo(5_000);
        assertThat(json.at("/memory/explained/keyspace_tables").asLong()).isEqualTo(2_000);
        assertThat(json.at("/cost/commands").asLong()).isEqualTo(1_234);
        JsonNode first = json.at("/findings/0");
        assertThat(first.path("rule").asText()).isEqualTo("key-undeclared");
        assertThat(first.path("severity").asText()).isEqualTo("error");
        assertThat(first.path("family").asText()).isEqualTo("other:*");
        assertThat(first.path("keys")).hasSize(2);
        assertThat(first.path("evidence").isTextual()).isTrue();
        assertThat(first.path("remedy").isTextual()).isTrue();
        assertThat(json.at("/findings/1").has("family")).isFalse();
        assertThat(json.at("/waived/0/waived_until").asText()).isEqualTo("2027-03-31");
        assertThat(json.at("/known/0/rule").asText()).isEqualTo("tls-off");

        assertThat(ReportJson.read(write(Format.JSON, ASIDE))).isEqualTo(Reports.usual());
        assertThat(ReportJson.read(ReportJson.write(Reports.hostile()))).isEqualTo(Reports.hostile());
    }

    @Test
    void whatIsNoReportIsRefusedWithItsReason() {
        assertThatThrownBy(() -> ReportJson.read("{\"keys\": 1}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("it is no report of an audit: ");
        assertThatThrownBy(() -> ReportJson.read("keys")).isInstanceOf(IllegalArgumentException.class);
    }

    /** The members that the schema of SARIF 2.1.0 requires of each object that we write. */
    @Test
    void aMessageOfSarifIsWholeSentences() throws Exception {
        Report report = Reports.of(new Finding(
                "key-undeclared",
                Severity.ERROR,
                "tmp",
                "",
                List.of("tmp:1", "tmp:2"),
                "2 keys fit no declared family",
                Map.of(),
                null,
                "Declare it."));
        JsonNode sarif = new JsonMapper().readTree(write(Format.SARIF, Verdict.of(report)));
        assertThat(sarif.at("/runs/0/results/0/message/text").asText())
                .isEqualTo("2 keys fit no declared family. For example: tmp:1, tmp:2.");
    }

    @Test
    void sarifHasWhatItsSchemaRequires() throws Exception {
        String text = Format.SARIF.write(
                ASIDE,
                Presentation.PLAIN.withSchema(new SchemaFile(
                        "redis/our schema.yaml", "families:\n  - name: \"other:*\"\n  - name: session\n")));
        JsonNode sarif = new JsonMapper().readTree(text);
        assertThat(sarif.path("version").asText()).isEqualTo("2.1.0");
        assertThat(sarif.path("$schema").asText()).endsWith("sarif-schema-2.1.0.json");
        assertThat(sarif.path("runs")).hasSize(1);
        JsonNode run = sarif.at("/runs/0");
        JsonNode driver = run.at("/tool/driver");
        assertThat(driver.path("name").asText()).isEqualTo("hotstate audit");
        assertThat(driver.path("rules")).hasSameSizeAs(Rules.all());
        for (JsonNode rule : driver.path("rules")) {
            assertThat(rule.path("id").asText()).isNotEmpty();
            assertThat(rule.at("/shortDescription/text").asText()).isNotEmpty();
            assertThat(rule.at("/defaultConfiguration/level").asText()).isIn("error", "warning", "note");
        }
        assertThat(run.at("/invocations/0/executionSuccessful").asBoolean()).isTrue();
        assertThat(run.at("/invocations/0/toolExecutionNotifications/0/message/text")
                        .asText())
                .contains("CONFIG GET");
        assertThat(run.path("results")).hasSize(5);
        for (JsonNode result : run.path("results")) {
            assertThat(result.at("/message/text").asText()).isNotEmpty();
            assertThat(result.path("level").asText()).isIn("error", "warning", "note");
            int index = result.path("ruleIndex").asInt();
            assertThat(driver.path("rules").get(index).path("id").asText())
                    .isEqualTo(result.path("ruleId").asText());
            assertThat(result.at("/locations/0/physicalLocation/artifactLocation/uri")
                            .asText())
                    .isEqualTo("redis/our%20schema.yaml");
            assertThat(result.at("/locations/0/logicalLocations/0/fullyQualifiedName")
                            .asText())
                    .startsWith("redis.example.org:6379/");
            assertThat(result.at("/partialFingerprints/hotstateFinding~1v1").asText())
                    .isNotEmpty();
        }
        assertThat(run.path("results").findValuesAsText("startLine")).containsExactly("2", "1", "3", "1", "1");
        assertThat(run.at("/results/3/suppressions/0/kind").asText()).isEqualTo("external");
        assertThat(run.at("/results/4/suppressions/0/justification").asText()).isEqualTo("known from the baseline");
        assertThat(new JsonMapper()
                        .readTree(write(Format.SARIF, USUAL))
                        .at("/runs/0/results/0/locations/0")
                        .has("physicalLocation"))
                .isFalse();
    }

    @Test
    void junitHasATestForEachFindingAndForEachRuleThatFoundNothing() throws Exception {
        Element suite = suite(Format.JUNIT.write(ASIDE, Presentation.PLAIN.failingOn(Severity.WARNING)));
        int tests = suite.getElementsByTagName("testcase").getLength();
        assertThat(suite.getAttribute("tests")).isEqualTo(String.valueOf(tests));
        assertThat(tests).isEqualTo(Rules.all().size());
        assertThat(suite.getAttribute("failures")).isEqualTo("2");
        assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(2);
        assertThat(skipped(suite))
                .as("one that is waived, one that is known, and those that CONFIG GET was refused to")
                .containsExactlyInAnyOrder("key-big feed", "tls-off", "config-drift", "clients-high");
        assertThat(suite.getAttribute("skipped")).isEqualTo("4");
        Element failure = (Element) suite.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).isEqualTo("Twelve of 1,200 keys are so.");
        assertThat(failure.getTextContent()).contains("other:1", "Mend it.");
        assertThat(((Element) failure.getParentNode()).getAttribute("name")).isEqualTo("key-undeclared other:*");
    }

    private static List<String> skipped(Element suite) {
        NodeList all = suite.getElementsByTagName("skipped");
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> ((Element) all.item(i).getParentNode()).getAttribute("name"))
                .toList();
    }

    @Test
    void junitFailsNothingThatTheCallerDoesNotFailOn() throws Exception {
        assertThat(suite(Format.JUNIT.write(USUAL, Presentation.PLAIN)).getAttribute("failures"))
                .isEqualTo("1");
        assertThat(suite(Format.JUNIT.write(USUAL, Presentation.PLAIN.failingOn(null)))
                        .getAttribute("failures"))
                .isEqualTo("0");
    }

    @Test
    void aHostileNameStaysOneAttributeOfTheXml() throws Exception {
        Element suite = suite(write(Format.JUNIT, Verdict.of(Reports.hostile())));
        assertThat(suite.getElementsByTagName("failure").getLength()).isEqualTo(1);
        assertThat(suite.getElementsByTagName("script").getLength()).isZero();
        assertThat(((Element) suite.getElementsByTagName("testcase").item(0)).getAttribute("name"))
                .contains("\\x1b[31m", "<script>", "\\u202e", "\\x00");
    }

    @Test
    void htmlNeedsNothingFromElsewhereAndLetsNothingIn() {
        String html = write(Format.HTML, Verdict.of(Reports.hostile()));
        assertThat(html)
                .startsWith("<!doctype html>")
                .contains("default-src 'none'", "<svg", "prefers-color-scheme: dark")
                .contains("&lt;script&gt;")
                .doesNotContain("<script", "http://", "https://", "src=\"", "@import", "url(");
    }

    @Test
    void inMarkdownAHostileNameEndsNeitherItsCellNorItsCode() {
        String markdown = write(Format.MARKDOWN, Verdict.of(Reports.hostile()));
        assertThat(markdown.replaceAll("\\\\.", "").replaceAll("(?<!`)(`+)(?!`).*?(?<!`)\\1(?!`)", ""))
                .doesNotContain("<script", "`");
        String row = markdown.lines()
                .filter(line -> line.startsWith("| error |"))
                .findFirst()
                .orElseThrow();
        assertThat(Pattern.compile("(?<!\\\\)\\|").matcher(row).results().count())
                .isEqualTo(5);
        assertThat(markdown.lines().filter(line -> line.startsWith("# "))).hasSize(1);
    }

    @Test
    void markdownTellsFindingsFamiliesAndMemory() {
        assertThat(write(Format.MARKDOWN, ASIDE))
                .contains("**1 error, 1 warning, 1 note**, 1 waived, 1 known.")
                .contains("| error | `key-undeclared` | `other:*` |", "- `key-undeclared`: ", "`other:1`, `other:2`")
                .contains("| session | `prod:api:session` | hash | 600 | 4.9 KiB ± 150 B | 60 min |")
                .contains("| **used** | **12.5 KiB** |", "- `CONFIG GET`: NOPERM");
    }

    private static String write(Format format, Verdict verdict) {
        return format.write(verdict, Presentation.PLAIN);
    }

    private static boolean isActing(int c) {
        int type = Character.getType(c);
        return type == Character.CONTROL || type == Character.FORMAT;
    }

    private static Element suite(String xml) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        Element root = factory.newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
        assertThat(root.getTagName()).isEqualTo("testsuites");
        return (Element) root.getElementsByTagName("testsuite").item(0);
    }
}
