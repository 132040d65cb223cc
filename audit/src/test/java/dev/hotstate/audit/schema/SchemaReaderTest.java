package dev.hotstate.audit.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.InvalidDocumentException;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.KeyspaceSchema;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SchemaReaderTest {
    private static final String WHOLE = """
            version: 1
            prefix: "prod:api"
            naming: {convention: "{env}:{app}:{id}", environments: [prod, stg]}
            users: [{name: web, owners: [pages], commands: [ping]}]
            families:
              - name: page
                pattern: "{<site>}:page:<id>"
                type: hash
                owner: pages
                tag: "{<site>}"
                variables: [{name: site, kind: id, max_bytes: 8}, {name: id, kind: digits}]
                fields: [{name: html, description: "the page", required: true}, title]
                lifetime: {kind: expires, ttl: 5m}
                limits: {elements: 2, element_bytes: 100, bytes: 300}
                max: {bytes: 5000}
                persistence: aof
                acl: ["+hset", "+hget"]
                example: "{a}:page:1"
                why: "read by all"
              - {name: seen, pattern: seen, type: set, lifetime: {kind: bounded, count: 10}}
              - {name: conf, pattern: conf, type: any, lifetime: {kind: kept, reason: settings}}
              - {name: rest, pattern: "x:<rest>", type: string, variables: [{name: rest, kind: rest}], lifetime: any}
            """;

    @Test
    void everyFieldIsReadAndWrittenBack() {
        Schema schema = SchemaReader.read(WHOLE);

        Family page = schema.families().getFirst();
        assertThat(page.lifetime()).isEqualTo(new Lifetime.Expires(Duration.ofMinutes(5)));
        assertThat(page.fields()).containsExactly(new Field("html", "the page", true), new Field("title", "", false));
        assertThat(page.variables())
                .containsExactly(
                        new Variable("site", Variable.Kind.ID, 8), new Variable("id", Variable.Kind.DIGITS, 0));
        assertThat(page.typical()).isEqualTo(new Size(2, 100, 300));
        assertThat(page.max()).isEqualTo(new Size(0, 0, 5000));
        assertThat(page.persistence()).isEqualTo(Family.Persistence.AOF);
        assertThat(page.glob()).isEqualTo("{*}:page:*");
        assertThat(schema.naming()).isEqualTo(new Naming("{env}:{app}:{id}", List.of("prod", "stg")));
        assertThat(schema.users()).containsExactly(new Schema.User("web", List.of("pages"), List.of("ping")));
        assertThat(SchemaReader.read(SchemaWriter.yaml(schema))).isEqualTo(schema);
    }

    @Test
    void whatKeyspaceSchemaPrintsIsRead() {
        Keyspace keyspace = Keyspace.of("dev:test");

        assertThat(SchemaReader.read(KeyspaceSchema.yaml(keyspace)).prefix()).isEqualTo("dev:test");
    }

    @Test
    void allThatIsWrongIsToldAtOnceWithItsLine() {
        assertThatThrownBy(() -> SchemaReader.read("""
                        version: 2
                        colour: blue
                        families:
                          - name: page
                            pattern: "page:<id"
                            type: hsh
                            lifetime: {kind: expires, ttl: soon}
                            colour: red
                          - pattern: "a:<x>:<x>"
                            type: string
                            lifetime: {kind: forever}
                        """))
                .isInstanceOfSatisfying(
                        InvalidDocumentException.class,
                        refused -> assertThat(refused.flaws())
                                .extracting(flaw -> flaw.field())
                                .contains(
                                        "version",
                                        "colour",
                                        "families[0].colour",
                                        "families[0].pattern",
                                        "families[0].type",
                                        "families[0].lifetime.ttl",
                                        "families[1].name",
                                        "families[1].pattern",
                                        "families[1].lifetime.kind"))
                .hasMessageContaining("line 1")
                .hasMessageContaining("line 8");
    }

    @Test
    void twoFamiliesOfOneNameAndATagThatIsNotThePatternsAreRefused() {
        assertThatThrownBy(() -> SchemaReader.read("""
                        version: 1
                        families:
                          - {name: a, pattern: a, type: string, lifetime: any, tag: "{b}"}
                          - {name: a, pattern: b, type: string, lifetime: any}
                        """))
                .hasMessageContaining("twice")
                .hasMessageContaining("families[0].tag");
    }

    @Test
    void whatIsNoYamlIsSaidToBeNone() {
        assertThatThrownBy(() -> SchemaReader.read("version: 1\nfamilies: [1"))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageStartingWith("schema: it is no YAML: ")
                .hasMessageContaining("(line 2)");
        assertThatThrownBy(() -> SchemaReader.read("just text"))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("must be a map");
        assertThatThrownBy(() -> SchemaReader.read("")).isInstanceOf(InvalidDocumentException.class);
    }

    @Test
    void anAliasIsRefusedAndNotTakenForItsName() {
        assertThatThrownBy(() -> SchemaReader.read("""
                        version: 1
                        families:
                          - {name: a, pattern: a, type: string, lifetime: any, owner: &who web}
                          - {name: b, pattern: b, type: string, lifetime: any, owner: *who}
                        """))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("*who")
                .hasMessageContaining("(line 4)");
    }

    @Test
    void twoVersionsAreComparedByFamily() {
        Schema before = SchemaReader.read(WHOLE);
        Schema after = SchemaReader.read(WHOLE.replace("ttl: 5m", "ttl: 1m")
                .replace("count: 10", "count: 20")
                .replace("name: conf", "name: settings")
                .replace(", title]", "]"));

        assertThat(SchemaDiff.between(before, before).isEmpty()).isTrue();
        assertThat(SchemaDiff.between(before, after).changes())
                .extracting(change -> change.kind() + " " + change.family() + " " + change.field() + " "
                        + (change.breaking() ? "breaks" : "fits"))
                .containsExactly(
                        "CHANGED page lifetime breaks",
                        "CHANGED page fields.title breaks",
                        "CHANGED seen lifetime fits",
                        "ADDED settings  fits",
                        "REMOVED conf  breaks");
    }

    @Test
    void everythingThatAFileSaysIsComparedAndToldInWords() {
        Schema before = SchemaReader.read(WHOLE);
        Schema after = SchemaReader.read(WHOLE.replace("[prod, stg]", "[prod]")
                .replace("owners: [pages]", "owners: [pages, feeds]")
                .replace("ttl: 5m", "ttl: 5m, usual: 2m")
                .replace("max_bytes: 8", "max_bytes: 9")
                .replace("title]", "{name: title, json: true}]")
                .replace("elements: 2, ", "")
                .replace("max: {bytes: 5000}", "max: {bytes: 6000}")
                .replace("persistence: aof", "persistence: rdb")
                .replace("read by all", "read by many"));

        assertThat(SchemaDiff.between(before, after).changes())
                .extracting(change -> change + (change.breaking() ? " breaks" : ""))
                .containsExactly(
                        "~ naming: {env}:{app}:{id}, env prod or stg -> {env}:{app}:{id}, env prod breaks",
                        "~ users.web: of pages, and ping -> of pages, feeds, and ping",
                        "~ page lifetime: expires after at most 5m -> expires after at most 5m, usually 2m",
                        "~ page variables: <site> id of at most 8 bytes, <id> digits -> <site> id of at most 9 bytes, <id>"
                                + " digits breaks",
                        "~ page fields.title: optional -> optional, may be JSON",
                        "~ page limits: 2 elements, 100 bytes each, 300 bytes -> 100 bytes each, 300 bytes",
                        "~ page max: 5000 bytes -> 6000 bytes",
                        "~ page persistence: aof -> rdb",
                        "~ page why: read by all -> read by many");
    }
}
