package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class KeyspaceSchemaTest {
    @Test
    void everyFamilyIsReadBackAsDeclared() throws JsonProcessingException {
        Keyspace keyspace = Keyspace.of("dev:hotstate", CoreKeys.SERVICE);
        JsonNode schema = parsed(keyspace);

        assertThat(schema.path("version").intValue()).isEqualTo(1);
        assertThat(schema.path("prefix").textValue()).isEqualTo("dev:hotstate");
        assertThat(schema.path("families")).hasSameSizeAs(keyspace.families());
        for (int i = 0; i < keyspace.families().size(); i++) {
            KeyFamily family = keyspace.families().get(i);
            JsonNode read = schema.path("families").path(i);
            assertThat(read.path("name").textValue()).isEqualTo(family.name());
            assertThat(read.path("pattern").textValue()).isEqualTo(family.pattern());
            assertThat(read.path("type").textValue()).isEqualTo(family.type().word());
            assertThat(read.path("owner").textValue()).isEqualTo(family.owner());
            assertThat(read.path("example").textValue()).isEqualTo(family.example());
            assertThat(read.path("why").textValue()).isEqualTo(family.why());
            assertThat(read.path("fields").findValuesAsText("name"))
                    .isEqualTo(
                            family.fields().stream().map(KeyFamily.Field::name).toList());
            assertThat(read.path("limits").path("elements").longValue())
                    .isEqualTo(family.typical().elements());
            assertThat(read.path("limits").path("bytes").longValue())
                    .isEqualTo(MemoryModel.bytesPerKey(keyspace, family));
        }
    }

    @Test
    void usersAreThoseOfTheAclRules() throws JsonProcessingException {
        JsonNode users = parsed(Keyspace.of("dev:hotstate", CoreKeys.SERVICE)).path("users");

        assertThat(users.findValuesAsText("name")).containsExactly("hotstate", "hotstate-core");
        assertThat(users.path(0).path("owners").toString()).isEqualTo("[\"core\"]");
        assertThat(users.path(0).path("commands").toString()).contains("\"evalsha\"", "\"cluster|nodes\"");
    }

    @Test
    void variablesTagAndLifetimesAreThere() throws JsonProcessingException {
        JsonNode expires = only(family("why").expires(Duration.ofMinutes(90)).declared());
        JsonNode bounded = only(family("why").bounded(7).declared());
        JsonNode kept = only(family("why").kept("a: reason # here").declared());

        assertThat(expires.path("tag").textValue()).isEqualTo("{<partition>}");
        assertThat(expires.path("variables").toString())
                .isEqualTo("[{\"name\":\"partition\",\"kind\":\"id\",\"max_bytes\":8},"
                        + "{\"name\":\"text\",\"kind\":\"text\",\"max_bytes\":20}]");
        assertThat(expires.path("lifetime").toString()).isEqualTo("{\"kind\":\"expires\",\"ttl\":\"90m\"}");
        assertThat(bounded.path("lifetime").toString()).isEqualTo("{\"kind\":\"bounded\",\"count\":7}");
        assertThat(kept.path("lifetime").toString()).isEqualTo("{\"kind\":\"kept\",\"reason\":\"a: reason # here\"}");
    }

    @Property
    void anyTextIsReadBackAsItWas(@ForAll("texts") String text) throws JsonProcessingException {
        JsonNode read = only(family("w" + text).kept("for the test").declared());

        assertThat(read.path("why").textValue()).isEqualTo("w" + text);
    }

    @Provide
    Arbitrary<String> texts() {
        Arbitrary<String> hostile = Arbitraries.strings()
                .withChars("\"\\'#:-{}[],&*!|>%@` \t\n\r\0\u0085\u2028\uFEFFäλ€")
                .ofMaxLength(12);
        return Arbitraries.oneOf(hostile, Arbitraries.of("😀", "yes", "null", "~", "---", "é\u0301"));
    }

    @Test
    void aKeyspaceOfNothingIsASchemaToo() throws JsonProcessingException {
        assertThat(parsed(Keyspace.of("dev:hotstate")).path("families")).isEmpty();
    }

    private static JsonNode only(KeyFamily family) throws JsonProcessingException {
        return parsed(Keyspace.of("dev:hotstate", new Service("test", List.of(family), List.of(), Set.of())))
                .path("families")
                .path(0);
    }

    private static JsonNode parsed(Keyspace keyspace) throws JsonProcessingException {
        return new YAMLMapper().readTree(KeyspaceSchema.yaml(keyspace));
    }

    private static KeyFamily.Builder family(String why) {
        return KeyFamily.list("{<partition>}:name:<text>")
                .id("partition", 8)
                .text("text", 20)
                .owner("test")
                .typically(5, 10)
                .example("{a}:name:b c")
                .why(why);
    }
}
