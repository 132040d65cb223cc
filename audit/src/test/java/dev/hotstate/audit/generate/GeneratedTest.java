package dev.hotstate.audit.generate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Family.Persistence;
import dev.hotstate.audit.schema.Field;
import dev.hotstate.audit.schema.Lifetime;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.Size;
import dev.hotstate.audit.schema.Type;
import dev.hotstate.audit.schema.Variable;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GeneratedTest {
    private static final Lifetime DAY = new Lifetime.Expires(Duration.ofDays(1));
    private static final Family SESSION = family("session", "session:<id>", Type.STRING, "api", DAY, null);
    private static final Family SCHEDULE = family(
            "schedule",
            "{<shard>}:schedule[1]",
            Type.ZSET,
            "worker",
            new Lifetime.Kept("what is due"),
            Persistence.AOF);
    private static final Schema SCHEMA = Schema.of("prod:app", List.of(SESSION, SCHEDULE));

    @Test
    void eachOwnerGetsAUserForItsKeysAndTheirTypesAlone() {
        List<AclUsers.User> users = AclUsers.of(SCHEMA);
        assertThat(users).extracting(AclUsers.User::name).containsExactly("api", "worker");
        assertThat(users.get(0).keys()).containsExactly("prod:app:session:*");
        assertThat(users.get(0).commands())
                .contains("get", "set", "expire", "ping")
                .doesNotContain("zadd", "hget");
        assertThat(users.get(1).keys()).containsExactly("prod:app:{*}:schedule\\[1\\]");
        assertThat(users.get(1).commands()).contains("zadd", "zrange").doesNotContain("get");
        assertThat(Generated.ACL.write(SCHEMA, null).lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith("ACL SETUSER api reset on >CHANGE-ME resetkeys resetchannels -@all ~prod:app:session:* +");
    }

    @Test
    void aRuleReachesKeysWhateverIsInTheirNamesAndStaysOneWord() {
        Family odd = family("odd", "a b:\\<x>:\"<id>\":\\xff\\n*", Type.STRING, "api", DAY, null);
        assertThat(AclUsers.of(Schema.of("my app", List.of(odd))).getFirst().keys())
                .containsExactly("my?app:a?b:<x>:?*?:??\\*");
    }

    @Test
    void besideAFamilyOfAllNamesNoOtherIsNamed() {
        Family all = family("all", "<id>", Type.STRING, "api", DAY, null);
        assertThat(AclUsers.of(Schema.of("", List.of(SESSION, all))).getFirst().keys())
                .containsExactly("*");
    }

    @Test
    void namedUsersAndDeclaredCommandsAreTakenAsTheyAre() {
        Family narrow = new Family(
                "flag",
                "flag:<id>",
                Type.STRING,
                "api",
                List.of(),
                List.of(),
                DAY,
                Size.NONE,
                Size.NONE,
                null,
                List.of("get"),
                "",
                "");
        Schema schema = new Schema(
                "", null, List.of(narrow), List.of(new Schema.User("reader", List.of("api"), List.of("scan"))));
        AclUsers.User user = AclUsers.of(schema).getFirst();
        assertThat(user.name()).isEqualTo("reader");
        assertThat(user.keys()).containsExactly("flag:*");
        assertThat(user.commands()).contains("get", "scan", "ping").doesNotContain("set", "del");
    }

    @ParameterizedTest
    @EnumSource(Type.class)
    void noTypeNeedsADangerousCommand(Type type) {
        assertThat(TypeCommands.of(type))
                .doesNotContain("keys", "flushall", "flushdb", "config", "sort", "migrate", "restore", "debug")
                .contains("expire");
    }

    @Test
    void theAdviceSuitsTheLifetimes() {
        assertThat(Generated.CONF.write(SCHEMA, null))
                .contains("\nmaxmemory-policy noeviction\n", "\"schedule\" must stay", "\nappendonly yes\n");
        assertThat(Generated.CONF.write(Schema.of("", List.of(SESSION)), null))
                .contains("\nmaxmemory-policy allkeys-lru\n")
                .doesNotContain("\nappendonly yes");
        Family any = family("any", "any:<id>", Type.STRING, "api", new Lifetime.Any(), Persistence.RDB);
        assertThat(Generated.CONF.write(Schema.of("", List.of(SESSION, any)), null))
                .contains("\nmaxmemory-policy volatile-lru\n", "\nsave 900 1 300 100 60 10000\n");
    }

    @Test
    void alertsAreGroupsOfRulesAsPrometheusReadsThem() throws Exception {
        Family odd = family("odd \"name\\", "odd:<id>", Type.STRING, "api", DAY, null);
        JsonNode groups = new YAMLMapper()
                .readTree(Generated.ALERTS.write(Schema.of("", List.of(SESSION, SCHEDULE, odd)), null))
                .path("groups");
        assertThat(groups).hasSize(2);
        for (JsonNode group : groups) {
            assertThat(group.path("rules"))
                    .extracting(rule -> rule.path("alert").asText() + rule.path("labels"))
                    .as("promtool refuses two alerts with the same name and labels")
                    .doesNotHaveDuplicates();
            assertThat(group.path("name").asText()).isNotEmpty();
            for (JsonNode rule : group.path("rules")) {
                assertThat(rule.path("alert").asText()).matches("[A-Za-z]+");
                String expr = rule.path("expr").asText();
                assertThat(expr.chars().filter(c -> c == '(').count())
                        .as(expr)
                        .isEqualTo(expr.chars().filter(c -> c == ')').count())
                        .isNotNegative();
                assertThat(rule.at("/labels/severity").asText()).isIn("warning", "critical");
                assertThat(rule.at("/annotations/summary").asText()).isNotEmpty();
            }
        }
        assertThat(groups.findValuesAsText("expr"))
                .anyMatch(expr -> expr.startsWith("redis_memory_used_bytes / (redis_memory_max_bytes > 0) > 0.8"))
                .anyMatch(expr -> expr.contains("increase(redis_evicted_keys_total[5m]) > 0"))
                .anyMatch(expr -> expr.contains("delta(redis_slowlog_last_id[1m]) > 10"))
                .anyMatch(expr -> expr.contains("hotstate_audit_family_bytes{family=\"odd \\\"name\\\\\"}"));
    }

    @Test
    void theDocumentTellsEveryFamilyWithItsOwner() {
        Family described = new Family(
                "user",
                "user:<id>",
                Type.HASH,
                "api",
                List.of(new Variable("id", Variable.Kind.DIGITS, 12)),
                List.of(new Field("name", "a | b", true)),
                DAY,
                new Size(3, 20, 0),
                Size.NONE,
                null,
                List.of(),
                "user:7",
                "people");
        String page = Generated.DOC.write(Schema.of("prod:app", List.of(described, SCHEDULE)), null);
        assertThat(page)
                .contains("## api", "### user", "people", "`prod:app:user:<id>`", "`prod:app:user:7`")
                .contains("| `<id>` | digits, at most 12 bytes |", "| `name` | a \\| b (required) |")
                .contains("| typically | 3 elements, 20 bytes each |", "## worker", "kept: what is due");
    }

    private static Family family(
            String name, String pattern, Type type, String owner, Lifetime lifetime, Persistence persistence) {
        return new Family(
                name,
                pattern,
                type,
                owner,
                List.of(),
                List.of(),
                lifetime,
                Size.NONE,
                Size.NONE,
                persistence,
                List.of(),
                "",
                "");
    }
}
