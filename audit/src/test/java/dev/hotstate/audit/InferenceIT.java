package dev.hotstate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.audit.report.FamilyReport;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.schema.Family;
import dev.hotstate.audit.schema.Lifetime;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.audit.schema.SchemaReader;
import dev.hotstate.audit.schema.SchemaWriter;
import dev.hotstate.audit.schema.Type;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.redisson.Redisson;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisTemplate;
import org.springframework.data.redis.serializer.RedisSerializer;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.Session;
import org.springframework.session.data.redis.RedisIndexedSessionRepository;

/** Keyspaces that others wrote: what is drafted from them declares all of them, in patterns that a person would write. */
@ExtendWith(Testkit.class)
class InferenceIT {
    private final RedisServer server;
    private final RedisCommands<String, String> redis;

    InferenceIT(RedisServer server) {
        this.server = server;
        this.redis = server.commands();
    }

    @BeforeEach
    void empty() {
        server.flushAll();
    }

    @Test
    void bullmq() throws Exception {
        keysOfBullmq();

        Map<String, Family> families = inferredAndChecked();

        assertThat(families.keySet())
                .contains(
                        "bull:<name>:<id>",
                        "bull:<name>:meta",
                        "bull:<name>:wait",
                        "bull:<name>:completed",
                        "bull:<name>:<id>:logs",
                        "bull:<name>:stalled-check",
                        "bull:<name>:delayed",
                        "bull:<name>:failed",
                        "bull:<name>:repeat:nightly:<id>")
                .noneMatch(pattern -> pattern.contains("emails"));
        assertThat(families.get("bull:<name>:<id>").type()).isEqualTo(Type.HASH);
        assertThat(families.get("bull:<name>:completed").type()).isEqualTo(Type.ZSET);
        assertThat(families.get("bull:<name>:events").type()).isEqualTo(Type.STREAM);
        assertThat(families.get("bull:<name>:stalled-check").lifetime()).isInstanceOf(Lifetime.Expires.class);
        assertThat(families.get("bull:<name>:wait").lifetime()).isInstanceOf(Lifetime.Kept.class);
        Schema drafted = Inference.infer(AuditTarget.of(server.uri()), Audits.QUICK, Progress.NONE);
        assertThat(Audits.findings(Audits.of(server.uri(), drafted), Rules.JSON_IN_HASH))
                .as("a draft declares the fields, and JSON in them is still found")
                .isNotEmpty();
        Report report = Audits.of(server.uri(), Audits.QUICK);
        assertThat(Audits.findings(report, Rules.JSON_IN_HASH))
                .extracting(finding -> finding.family())
                .contains("bull:<name>:<id>");
        assertThat(Audits.findings(report, Rules.VALUE_LARGE))
                .as("the data of one job in each queue is text of more than 1 KB")
                .singleElement()
                .satisfies(finding -> assertThat(finding.keys()).hasSize(3));
        assertThat(Audits.findings(report, Rules.NAME_CONVENTION)).isNotEmpty();
        assertThat(Audits.findings(report, Rules.TAG_MISSING)).isNotEmpty();
    }

    @Test
    void redisson() throws Exception {
        Config config = new Config();
        config.useSingleServer()
                .setAddress(server.uri())
                .setConnectionMinimumIdleSize(2)
                .setConnectionPoolSize(4);
        RedissonClient client = Redisson.create(config);
        try {
            for (String name : List.of("carts", "prices", "stocks")) {
                client.getMap(name).put("a", "b");
                var expiring = client.getMapCache(name + "-cache");
                expiring.put("a", "b", 10, TimeUnit.MINUTES);
                expiring.put("c", "d", 10, TimeUnit.MINUTES, 5, TimeUnit.MINUTES);
                var limiter = client.getRateLimiter(name + "-limit");
                limiter.trySetRate(RateType.OVERALL, 5, Duration.ofMinutes(1));
                limiter.tryAcquire();
                client.getSemaphore(name + "-permits").trySetPermits(3);
                client.getFairLock(name + "-fair").lock(10, TimeUnit.MINUTES);
                client.getScoredSortedSet(name + "-scores").add(1, "a");
                client.getAtomicLong(name + "-count").incrementAndGet();
            }
            for (int i = 0; i < 40; i++) {
                client.getBucket("order:" + i).set("x", Duration.ofHours(1));
                client.getLock("lock:order:" + i).lock(10, TimeUnit.MINUTES);
            }
            long keys = redis.dbsize();

            Map<String, Family> families = inferredAndChecked();

            assertThat(keys).isGreaterThan(100);
            assertThat(families.keySet()).contains("order:<id>", "lock:order:<id>");
            assertThat(families.get("lock:order:<id>").type()).isEqualTo(Type.HASH);
            assertThat(families.get("order:<id>").lifetime()).isEqualTo(new Lifetime.Expires(Duration.ofHours(1)));
            assertThat(families.keySet()).anyMatch(pattern -> pattern.startsWith("redisson__timeout__set:{"));
        } finally {
            client.shutdown(0, 2, TimeUnit.SECONDS);
        }
    }

    @Test
    void sessionsOfSpring() throws Exception {
        LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", server.port());
        factory.afterPropertiesSet();
        factory.start();
        try {
            RedisTemplate<String, Object> template = new RedisTemplate<>();
            template.setConnectionFactory(factory);
            template.setKeySerializer(RedisSerializer.string());
            template.setHashKeySerializer(RedisSerializer.string());
            template.afterPropertiesSet();
            sessions(new RedisIndexedSessionRepository(template));
        } finally {
            factory.destroy();
        }

        Map<String, Family> families = inferredAndChecked();

        assertThat(families.keySet()).contains("spring:session:sessions:<id>", "spring:session:sessions:expires:<id>");
        Family sessions = families.get("spring:session:sessions:<id>");
        assertThat(sessions.type()).isEqualTo(Type.HASH);
        assertThat(sessions.fields())
                .allMatch(field -> field.required())
                .extracting(field -> field.name())
                .contains("creationTime", "lastAccessedTime", "maxInactiveInterval", "sessionAttr:cart");
        assertThat(sessions.lifetime()).isEqualTo(new Lifetime.Expires(Duration.ofHours(1)));
        Report report = Audits.of(server.uri(), Audits.QUICK);
        assertThat(Audits.findings(report, Rules.KEY_TOO_LONG))
                .as("a principal's sessions are under the name of a Java class")
                .extracting(finding -> finding.family())
                .containsExactly("spring:session:index:org.springframework.session.FindByIndexNameSessionRepository."
                        + "PRINCIPAL_NAME_INDEX_NAME:<id>");
        assertThat(Audits.findings(report, Rules.JSON_IN_HASH)).isEmpty();
    }

    private static <S extends Session> void sessions(FindByIndexNameSessionRepository<S> repository) {
        for (int i = 0; i < 50; i++) {
            S session = repository.createSession();
            session.setAttribute(FindByIndexNameSessionRepository.PRINCIPAL_NAME_INDEX_NAME, "user" + i);
            session.setAttribute("cart", new ArrayList<>(List.of("sku-" + i)));
            repository.save(session);
        }
    }

    @Test
    void manyKeysOfManyKindsOverSeveralDrafts() throws Exception {
        redis.eval("""
                for i = 1, 30000 do
                    redis.call('set', 'app:user:' .. i, 'x')
                    redis.call('set', 'app:{org:' .. i % 100 .. '}:member:' .. i, 'x')
                end
                for i = 1, 300 do
                    redis.call('set', 'plain' .. i, 'x')
                    redis.call('set', 'path/to/' .. i .. '/file', 'x')
                    redis.call('set', 'a.b.' .. i, 'x')
                end
                redis.call('set', 'app:user:anonymous', 'x')
                redis.call('set', 'app:user:' .. string.rep('z', 30), 'x')
                return 0""", ScriptOutputType.INTEGER);

        Map<String, Family> families = inferredAndChecked();

        assertThat(families.keySet())
                .contains("app:user:<id>", "app:{org:<id>}:member:<id2>", "path/to/<id>/file", "a.b.<id>", "<id>")
                .hasSizeLessThan(12);
    }

    /** Under the draft, also as it is read from its file, nothing is undeclared and nothing is of a wrong type. */
    private Map<String, Family> inferredAndChecked() throws InterruptedException {
        Schema schema = Inference.infer(AuditTarget.of(server.uri()), Audits.QUICK, Progress.NONE);
        Schema read = SchemaReader.read(SchemaWriter.yaml(schema));
        assertThat(read).isEqualTo(schema);
        Report report = Audits.of(server.uri(), read);
        assertThat(Audits.findings(report, Rules.KEY_UNDECLARED)).isEmpty();
        assertThat(Audits.findings(report, Rules.KEY_TYPE)).isEmpty();
        assertThat(Audits.findings(report, Rules.FIELD_UNKNOWN)).isEmpty();
        assertThat(Audits.findings(report, Rules.TTL_MISSING)).isEmpty();
        assertThat(Audits.findings(report, Rules.TTL_TOO_LONG)).isEmpty();
        assertThat(report.families()).allMatch(FamilyReport::declared).allMatch(family -> family.keys() > 0);
        return schema.families().stream().collect(Collectors.toMap(Family::pattern, Function.identity()));
    }

    private void keysOfBullmq() throws IOException {
        try (var lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(InferenceIT.class.getResourceAsStream("bullmq.txt")), StandardCharsets.UTF_8))) {
            lines.lines().filter(line -> !line.startsWith("#")).forEach(this::write);
        }
    }

    private void write(String line) {
        String[] words = line.split(" ");
        long ttl = Math.max(0, Long.parseLong(words[0]));
        redis.restore(words[1], ttl, Base64.getDecoder().decode(words[2]));
    }
}
