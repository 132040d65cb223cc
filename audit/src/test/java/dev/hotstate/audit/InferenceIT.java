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
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
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
                        "bull:<name>:repeat:nightly:<id>")
                .noneMatch(pattern -> pattern.contains("emails"));
        assertThat(families.get("bull:<name>:<id>").type()).isEqualTo(Type.HASH);
        assertThat(families.get("bull:<name>:completed").type()).isEqualTo(Type.ZSET);
        assertThat(families.get("bull:<name>:events").type()).isEqualTo(Type.STREAM);
        assertThat(families.get("bull:<name>:stalled-check").lifetime()).isInstanceOf(Lifetime.Expires.class);
        assertThat(families.get("bull:<name>:wait").lifetime()).isInstanceOf(Lifetime.Kept.class);
        Report report = Audits.of(server.uri(), Audits.QUICK);
        assertThat(Audits.findings(report, Rules.JSON_IN_HASH))
                .extracting(finding -> finding.family())
                .contains("bull:<name>:<id>");
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

    /** As RedisIndexedSessionRepository writes them. */
    @Test
    void sessionsOfSpring() throws Exception {
        for (int i = 0; i < 50; i++) {
            String id = UUID.nameUUIDFromBytes(new byte[] {(byte) i}).toString();
            redis.hset(
                    "spring:session:sessions:" + id,
                    Map.of("creationTime", "1", "lastAccessedTime", "2", "maxInactiveInterval", "1800"));
            redis.expire("spring:session:sessions:" + id, 2100);
            redis.set("spring:session:sessions:expires:" + id, "", SetArgs.Builder.ex(1800));
            redis.sadd("spring:session:expirations:" + (1_700_000_000_000L + i * 60_000L), "expires:" + id);
            redis.expire("spring:session:expirations:" + (1_700_000_000_000L + i * 60_000L), 2100);
            redis.sadd(
                    "spring:session:index:org.springframework.session.FindByIndexNameSessionRepository."
                            + "PRINCIPAL_NAME_INDEX_NAME:user" + i,
                    id);
        }

        Map<String, Family> families = inferredAndChecked();

        assertThat(families.keySet())
                .contains(
                        "spring:session:sessions:<id>",
                        "spring:session:sessions:expires:<id>",
                        "spring:session:expirations:<id>");
        Family sessions = families.get("spring:session:sessions:<id>");
        assertThat(sessions.type()).isEqualTo(Type.HASH);
        assertThat(sessions.fields())
                .allMatch(field -> field.required())
                .extracting(field -> field.name())
                .containsExactly("creationTime", "lastAccessedTime", "maxInactiveInterval");
        assertThat(sessions.lifetime()).isEqualTo(new Lifetime.Expires(Duration.ofHours(1)));
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
        String name = words[2];
        switch (words[0]) {
            case "string" -> redis.set(name, "1");
            case "list" -> redis.rpush(name, "1");
            case "set" -> redis.sadd(name, "1");
            case "zset" -> redis.zadd(name, 1, "1");
            case "stream" -> redis.xadd(name, "event", "added");
            case "hash" -> {
                for (String field : words[3].split(",")) {
                    redis.hset(name, field, field.equals("data") ? "{\"n\":1}" : "1");
                }
            }
            default -> throw new IllegalStateException(line);
        }
        if (!words[1].equals("-1")) {
            redis.pexpire(name, 30_000);
        }
    }
}
