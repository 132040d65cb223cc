package dev.hotstate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rule.Group;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import dev.hotstate.audit.schema.SchemaReader;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each rule about keys, their names and their values finds what is planted, and nothing else is found. */
@ExtendWith(Testkit.class)
class KeyRulesIT {
    private static final String SCHEMA = """
            version: 1
            prefix: "test:app"
            naming: {convention: "{env}:{app}:{entity}:{id}[:suffix]", environments: [test]}
            families:
              - name: session
                pattern: "{<user>}:session:<id>"
                type: hash
                variables: [{name: user, kind: id}, {name: id, kind: digits, max_bytes: 10}]
                fields: [{name: token, required: true}, {name: seen_at}, {name: "tag:<name>"}]
                lifetime: {kind: expires, ttl: 1h}
              - name: cache
                pattern: "{<user>}:cache:<page>"
                type: string
                lifetime: {kind: expires, ttl: 20d, usual: 10d}
              - name: recent
                pattern: "{<user>}:recent"
                type: list
                lifetime: {kind: bounded, count: 100}
              - name: profile
                pattern: "{<user>}:profile"
                type: hash
                lifetime: {kind: kept, reason: "of a user"}
                max: {elements: 50, bytes: 100000}
              - name: inbox
                pattern: "{<user>}:inbox"
                type: any
                lifetime: any
            """;

    private final RedisServer server;
    private final RedisCommands<String, String> redis;

    KeyRulesIT(RedisServer server) {
        this.server = server;
        this.redis = server.commands();
    }

    @BeforeEach
    void aKeyspaceAsDeclared() {
        server.flushAll();
        for (int i = 0; i < 60; i++) {
            redis.hset("test:app:{u" + i + "}:session:" + i, Map.of("token", "t" + i, "tag:x", "1"));
            redis.expire("test:app:{u" + i + "}:session:" + i, 3000);
            redis.set("test:app:{u" + i + "}:cache:home", "page", SetArgs.Builder.ex(800_000));
            redis.rpush("test:app:{u" + i + "}:recent", "a", "b");
            redis.hset("test:app:{u" + i + "}:profile", Map.of("name", "n", "mail", "m"));
            redis.sadd("test:app:{u" + i + "}:inbox", "m1");
        }
    }

    /** @param key one that must be among the examples */
    record Plant(Rule rule, String key, Consumer<RedisCommands<String, String>> deed) {
        @Override
        public String toString() {
            return rule + " " + key;
        }
    }

    static List<Plant> plants() {
        String session = "test:app:{u9}:session:9";
        return List.of(
                new Plant(
                        Rules.KEY_UNDECLARED,
                        "test:app:{u1}:sesion:1",
                        redis -> redis.set("test:app:{u1}:sesion:1", "x")),
                new Plant(
                        Rules.KEY_UNDECLARED,
                        "test:app:{u1}:session:x1",
                        redis -> redis.set("test:app:{u1}:session:x1", "x")),
                new Plant(
                        Rules.KEY_UNDECLARED,
                        "test:app:{u1}:session:12345678901",
                        redis -> redis.set("test:app:{u1}:session:12345678901", "x")),
                new Plant(Rules.KEY_FOREIGN, "test:other:user:1", redis -> redis.set("test:other:user:1", "x")),
                new Plant(Rules.KEY_TYPE, session, redis -> {
                    redis.del(session);
                    redis.set(session, "x", SetArgs.Builder.ex(60));
                }),
                new Plant(Rules.FIELD_UNKNOWN, session, redis -> redis.hset(session, "tokn", "x")),
                new Plant(Rules.FIELD_MISSING, session, redis -> redis.hdel(session, "token")),
                new Plant(Rules.TTL_MISSING, session, redis -> redis.persist(session)),
                new Plant(Rules.TTL_TOO_LONG, session, redis -> redis.expire(session, 7200)),
                new Plant(
                        Rules.TTL_UNEXPECTED,
                        "test:app:{u3}:profile",
                        redis -> redis.expire("test:app:{u3}:profile", 60)),
                new Plant(
                        Rules.TTL_UNEXPECTED,
                        "test:app:{u3}:recent",
                        redis -> redis.expire("test:app:{u3}:recent", 60)),
                new Plant(
                        Rules.BOUND_EXCEEDED,
                        "test:app:{u3}:recent",
                        redis -> redis.rpush("test:app:{u3}:recent", words(101))),
                new Plant(
                        Rules.BOUND_EXCEEDED,
                        "test:app:{u3}:profile",
                        redis -> redis.hset("test:app:{u3}:profile", "big", "x".repeat(200_000))),
                new Plant(Rules.NAME_CONVENTION, "test:app:profile", redis -> redis.set("test:app:profile", "x")),
                new Plant(Rules.NAME_CONVENTION, "prod:app:user:1", redis -> redis.set("prod:app:user:1", "x")),
                new Plant(
                        Rules.TAG_WRONG, "test:app:u1:session:{1}", redis -> redis.set("test:app:u1:session:{1}", "x")),
                new Plant(
                        Rules.KEY_TOO_LONG,
                        "test:app:{u1}:cache:" + "p".repeat(80),
                        redis -> redis.set("test:app:{u1}:cache:" + "p".repeat(80), "x", SetArgs.Builder.ex(800_000))),
                new Plant(
                        Rules.NAME_UNPRINTABLE,
                        "test:app:{u1}:cache:a\\n\\x1b[31mb",
                        redis -> redis.set("test:app:{u1}:cache:a\n\u001b[31mb", "x", SetArgs.Builder.ex(800_000))),
                new Plant(
                        Rules.JSON_IN_HASH,
                        "test:app:{u3}:profile",
                        redis -> redis.hset("test:app:{u3}:profile", "address", "{\"city\": \"Pune\"}")),
                new Plant(Rules.JSON_IN_HASH, session, redis -> redis.hset(session, "seen_at", "{\"day\": 1}")),
                new Plant(
                        Rules.VALUE_LARGE,
                        "test:app:{u3}:profile",
                        redis -> redis.hset("test:app:{u3}:profile", "about", "lorem ipsum ".repeat(200))),
                new Plant(
                        Rules.VALUE_LARGE,
                        "test:app:{u3}:cache:home",
                        redis -> redis.set(
                                "test:app:{u3}:cache:home", "lorem ipsum ".repeat(200), SetArgs.Builder.ex(800_000))),
                new Plant(
                        Rules.KEY_BIG,
                        "test:app:{u3}:inbox",
                        redis -> redis.sadd("test:app:{u3}:inbox", words(10_001))),
                new Plant(
                        Rules.KEY_BIG,
                        "test:app:{u3}:cache:home",
                        redis -> redis.set(
                                "test:app:{u3}:cache:home", "\0".repeat(1_100_000), SetArgs.Builder.ex(800_000))));
    }

    @ParameterizedTest
    @MethodSource("plants")
    void whatIsPlantedIsFound(Plant plant) throws InterruptedException {
        plant.deed.accept(redis);

        for (AuditOptions options : List.of(Audits.QUICK, Audits.QUICK.inFull())) {
            Report report = Audits.of(server.uri(), options.withSchema(SchemaReader.read(SCHEMA)));

            assertThat(Audits.findings(report, plant.rule))
                    .as("%s among %s", plant.rule, Audits.rules(report))
                    .hasSize(1)
                    .allSatisfy(finding -> assertThat(finding.keys()).containsExactly(plant.key))
                    .allSatisfy(finding -> assertThat(finding.evidence()).isNotBlank());
        }
    }

    @Test
    void aKeyspaceAsDeclaredHasNoFindingAboutItsKeys() throws InterruptedException {
        Report report = Audits.of(server.uri(), SCHEMA);

        assertThat(aboutKeys(report)).isEmpty();
        assertThat(report.keys()).isEqualTo(300);
        assertThat(report.complete()).isTrue();
        assertThat(report.families()).allSatisfy(family -> {
            assertThat(family.keys()).isEqualTo(60);
            assertThat(family.sampled()).isEqualTo(60);
            assertThat(family.bytes()).isPositive();
            assertThat(family.bytesPlusMinus()).isZero();
            assertThat(family.declared()).isTrue();
        });
    }

    @Test
    void lifetimesFarBelowTheDeclaredOneAreADrift() throws InterruptedException {
        for (int i = 0; i < 60; i++) {
            redis.expire("test:app:{u" + i + "}:cache:home", 60);
        }

        Finding drift = Audits.only(Audits.of(server.uri(), SCHEMA), Rules.TTL_DRIFT);

        assertThat(drift.family()).isEqualTo("cache");
        assertThat(drift.numbers()).containsEntry("declared_ms", 864_000_000L);
    }

    @Test
    void lifetimesThatHaveDoubledSinceTheLastReportAreADrift() throws InterruptedException {
        Report before = Audits.of(server.uri(), Audits.QUICK);
        for (int i = 0; i < 60; i++) {
            redis.expire("test:app:{u" + i + "}:session:" + i, 9000);
        }

        Finding drift = Audits.only(Audits.of(server.uri(), Audits.QUICK.withPrevious(before)), Rules.TTL_DRIFT);

        assertThat(drift.family()).isEqualTo("test:app:{<tag>}:session:<id>");
        assertThat(drift.severity()).isEqualTo(Severity.WARNING);
        assertThat(Audits.findings(Audits.of(server.uri(), Audits.QUICK), Rules.TTL_DRIFT))
                .isEmpty();
    }

    @Test
    void relatedKeysWithoutATagAreFoundAndThoseWithOneAreNot() throws InterruptedException {
        for (int i = 0; i < 40; i++) {
            redis.set("test:app:order:" + i + ":lines", "x");
            redis.set("test:app:order:" + i + ":total", "x");
            redis.set("test:app:{cart:" + i + "}:lines", "x");
            redis.set("test:app:{cart:" + i + "}:total", "x");
        }

        Finding untagged = Audits.only(Audits.of(server.uri(), SCHEMA), Rules.TAG_MISSING);

        assertThat(untagged.subject()).isEqualTo("test:app:order:");
        assertThat(untagged.severity()).isEqualTo(Severity.WARNING);
        assertThat(Audits.only(Audits.of(server.uri(), Audits.QUICK), Rules.TAG_MISSING)
                        .severity())
                .isEqualTo(Severity.INFO);
    }

    @Test
    void aKeyThatIsUsedFarMoreThanOthersIsHotWhereTheServerCounts() throws InterruptedException {
        try (RedisServer counting =
                RedisServer.start("maxmemory 100mb", "maxmemory-policy allkeys-lfu", "lfu-log-factor 0")) {
            counting.commands().set("prod:api:flag:cold", "1");
            for (int i = 0; i < 300; i++) {
                counting.commands().set("prod:api:flag:hot", "1");
            }

            Finding hot = Audits.only(Audits.of(counting.uri(), Audits.QUICK), Rules.KEY_HOT);

            assertThat(hot.keys()).containsExactly("prod:api:flag:hot");
        }
    }

    @Test
    void withoutASchemaFamiliesOfWhichAPartExpiresAreTold() throws InterruptedException {
        server.flushAll();
        for (int i = 0; i < 1200; i++) {
            redis.set("prod:api:token:" + i, "x", SetArgs.Builder.ex(i % 2 == 0 ? 600 : 700));
            redis.set("prod:api:note:" + i, "x");
        }
        IntStream.range(0, 100).forEach(i -> redis.persist("prod:api:token:" + i));

        Report report = Audits.of(server.uri(), Audits.QUICK.inFull());

        assertThat(Audits.findings(report, Rules.TTL_MISSING))
                .extracting(finding -> finding.family() + " " + finding.severity())
                .containsExactly("prod:api:token:<id> WARNING", "prod:api:note:<id> INFO");
        assertThat(Audits.findings(report, Rules.TTL_MISSING).getFirst().numbers())
                .containsEntry("found", 100L)
                .containsEntry("keys", 1200L);
        assertThat(Audits.findings(report, Rules.NAME_CONVENTION)).isEmpty();
    }

    @Test
    void aSampleSaysHowSureItIs() throws InterruptedException {
        server.flushAll();
        for (int i = 0; i < 2000; i++) {
            redis.set("test:app:{u}:cache:" + i, "x", SetArgs.Builder.ex(i < 1000 ? 800_000 : 8_000_000));
        }

        Finding found = Audits.only(
                Audits.of(server.uri(), Audits.QUICK.withSample(200).withSchema(SchemaReader.read(SCHEMA))),
                Rules.TTL_TOO_LONG);

        assertThat(found.confidence()).isNotNull();
        assertThat(found.confidence().sampled()).isEqualTo(200);
        assertThat(found.confidence().low()).isBetween(0.25, 0.5);
        assertThat(found.confidence().high()).isBetween(0.5, 0.75);
        assertThat(found.evidence()).contains("95 % confidence");
        assertThat(Audits.of(server.uri(), Audits.QUICK.withSample(200).withSchema(SchemaReader.read(SCHEMA)))
                        .findings())
                .as("the same keys are chosen again")
                .filteredOn(finding -> finding.rule().equals("ttl-too-long"))
                .extracting(Finding::keys, Finding::confidence)
                .containsExactly(tuple(found.keys(), found.confidence()));
    }

    private static Stream<Finding> aboutKeys(Report report) {
        Set<String> rules = Rules.all().stream()
                .filter(rule -> Set.of(Group.SCHEMA, Group.NAMES, Group.VALUES).contains(rule.group()))
                .map(Rule::id)
                .collect(Collectors.toSet());
        return report.findings().stream().filter(finding -> rules.contains(finding.rule()));
    }

    private static String[] words(int count) {
        return IntStream.range(0, count).mapToObj(i -> "w" + i).toArray(String[]::new);
    }
}
