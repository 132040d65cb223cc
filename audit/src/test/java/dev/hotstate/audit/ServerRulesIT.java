package dev.hotstate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.SetArgs;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.protocol.CommandType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each rule about the server finds what is planted. What must happen between two looks happens while it is watched. */
@ExtendWith(Testkit.class)
class ServerRulesIT {
    private static final AuditOptions WATCHING = AuditOptions.DEFAULT.withWatch(Duration.ofMillis(50));
    private static final String KEPT = """
            version: 1
            families:
              - {name: job, pattern: "prod:app:job:<id>", type: string, lifetime: {kind: kept, reason: work}, persistence: any}
              - {name: page, pattern: "prod:app:page:<id>", type: string, lifetime: {kind: expires, ttl: 1h}}
            """;

    @Test
    void aServerThatIsFullSaysSo() throws InterruptedException {
        try (RedisServer server = RedisServer.start("maxmemory 3mb", "maxmemory-policy allkeys-lru", "maxclients 10")) {
            for (int i = 0; i < 400; i++) {
                server.commands().set("prod:app:job:" + i, "x".repeat(10_000));
            }
            List<StatefulRedisConnection<String, String>> others = new ArrayList<>();
            RedisClient client = RedisClient.create(server.uri());
            try {
                for (int i = 0; i < 7; i++) {
                    others.add(client.connect());
                }

                Report report = Audits.of(server.uri(), KEPT);

                assertThat(Audits.only(report, Rules.MEMORY_HIGH).severity()).isEqualTo(Severity.ERROR);
                assertThat(Audits.only(report, Rules.CLIENTS_HIGH).numbers()).containsEntry("maxclients", 10L);
                assertThat((Long) Audits.only(report, Rules.EVICTED).numbers().get("evicted"))
                        .isPositive();
                assertThat(Audits.only(report, Rules.EVICTION_UNFIT).evidence()).contains("allkeys-lru", "job");
                assertThat(Audits.only(report, Rules.PERSISTENCE_OFF).evidence())
                        .contains("job");
                assertThat(Audits.findings(report, Rules.MEMORY_UNLIMITED)).isEmpty();
            } finally {
                others.forEach(StatefulRedisConnection::close);
                client.shutdown();
            }
        }
    }

    @Test
    void aServerAsItShouldBeHasNoFinding() throws InterruptedException {
        try (RedisServer server = RedisServer.start(
                "maxmemory 100mb", "maxmemory-policy noeviction", "appendonly yes", "requirepass secret")) {
            server.commands().aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.KEYS));
            server.commands().set("prod:app:job:1", "x");

            Report report = Audits.of(server.uri(), KEPT);

            assertThat(report.findings())
                    .extracting(Finding::rule)
                    .doesNotContain(
                            "memory-high",
                            "memory-unlimited",
                            "clients-high",
                            "evicted",
                            "eviction-unfit",
                            "persistence-off",
                            "persistence-failing",
                            "misses-high",
                            "slowlog-busy",
                            "command-blocking",
                            "default-user-open",
                            "acl-too-wide",
                            "tls-off",
                            "config-drift",
                            "node-down");
        }
    }

    @Test
    void snapshotsThatMayNotBeAskedAboutAreNotHeldAgainstAServer() throws InterruptedException {
        try (RedisServer server = RedisServer.start("save 60 1")) {
            server.commands()
                    .aclSetuser(
                            "poor",
                            AclSetuserArgs.Builder.on()
                                    .addPassword("pw")
                                    .allKeys()
                                    .allCommands()
                                    .removeCommand(CommandType.CONFIG));

            assertThat(Audits.findings(
                            Audits.of("redis://poor:pw@127.0.0.1:" + server.port(), KEPT), Rules.PERSISTENCE_OFF))
                    .isEmpty();
        }
    }

    @Test
    void aServerWithoutALimitOfMemoryIsTold(RedisServer server) throws InterruptedException {
        assertThat(Audits.only(Audits.of(server.uri(), Audits.QUICK), Rules.MEMORY_UNLIMITED)
                        .subject())
                .isEqualTo("127.0.0.1:" + server.port());
    }

    @Test
    void whoeverCallsKeysIsNamed(RedisServer server) throws InterruptedException {
        RedisClient client = RedisClient.create(server.uri() + "?clientName=reports");
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            connection.sync().configResetstat();
            Report report = Audits.of(
                    server.uri(), WATCHING, during(() -> connection.sync().keys("*")));

            Finding blocking = Audits.only(report, Rules.COMMAND_BLOCKING);
            assertThat(blocking.severity()).isEqualTo(Severity.ERROR);
            assertThat(blocking.subject()).isEqualTo("keys on 127.0.0.1:" + server.port());
            assertThat(blocking.evidence()).contains("KEYS").contains("reports at 127.0.0.1");
            assertThat((Long) blocking.numbers().get("between")).isPositive();
        } finally {
            client.shutdown();
        }
    }

    @Test
    void aCommandThatTakesLongOnMuchIsTold(RedisServer server) throws InterruptedException {
        server.flushAll();
        server.commands().configResetstat();
        server.commands()
                .eval(
                        "for i = 1, 300000 do redis.call('sadd', KEYS[1], i) end return 0",
                        ScriptOutputType.INTEGER,
                        "prod:app:big:1");
        server.commands().configResetstat();

        Report report =
                Audits.of(server.uri(), WATCHING, during(() -> server.commands().smembers("prod:app:big:1")));

        assertThat(Audits.findings(report, Rules.COMMAND_BLOCKING))
                .extracting(Finding::subject)
                .containsExactly("smembers on 127.0.0.1:" + server.port());
        server.flushAll();
    }

    @Test
    void readsThatMostlyMissAreTold(RedisServer server) throws InterruptedException {
        server.commands().set("prod:app:page:1", "x");
        Report report = Audits.of(server.uri(), WATCHING, during(() -> {
            for (int i = 0; i < 200; i++) {
                server.commands().get("prod:app:page:" + i);
            }
        }));

        assertThat(Audits.only(report, Rules.MISSES_HIGH).evidence()).contains("reads missed");
        assertThat(report.activity().missesPerSecond())
                .isGreaterThan(report.activity().hitsPerSecond());
    }

    @Test
    void whoWaitsAtAnEmptyQueueMissesNothing(RedisServer server) throws InterruptedException {
        server.commands().set("prod:app:page:1", "x");

        Report report = Audits.of(server.uri(), WATCHING, during(() -> {
            for (int i = 0; i < 300; i++) {
                server.commands().zrange("prod:app:queue:due", 0, 10);
                server.commands().get("prod:app:page:" + (i % 3 == 0 ? 2 : 1));
            }
        }));

        assertThat(report.activity().missesPerSecond())
                .as("as Redis counts")
                .isGreaterThan(report.activity().hitsPerSecond());
        assertThat(Audits.findings(report, Rules.MISSES_HIGH)).isEmpty();
    }

    @Test
    void aBusySlowLogIsToldWithoutTheValuesInIt() throws InterruptedException {
        try (RedisServer server = RedisServer.start("slowlog-log-slower-than 0")) {
            for (int i = 0; i < 30; i++) {
                server.commands().set("prod:app:page:" + i, "a secret");
            }

            Report report = Audits.of(server.uri(), Audits.QUICK);

            assertThat(Audits.only(report, Rules.SLOWLOG_BUSY).evidence()).contains("SET");
            assertThat(report.activity().slow())
                    .isNotEmpty()
                    .allSatisfy(entry -> assertThat(entry.command()).doesNotContain("secret"));
        }
    }

    @Test
    void aSnapshotThatFailedIsTold() throws InterruptedException {
        try (RedisServer server = RedisServer.start("stop-writes-on-bgsave-error no")) {
            server.commands().configSet("dbfilename", "dump.rdb");
            server.commands().configSet("rdb-key-save-delay", "0");
            server.commands().configSet("dir", "/proc");
            server.commands().set("prod:app:page:1", "x");
            server.commands().bgsave();
            Eventually.until(
                    "the snapshot has failed",
                    () -> "err".equals(server.info("persistence").get("rdb_last_bgsave_status")));

            assertThat(Audits.only(Audits.of(server.uri(), Audits.QUICK), Rules.PERSISTENCE_FAILING)
                            .evidence())
                    .contains("rdb_last_bgsave_status");
        }
    }

    @Test
    void withoutASchemaAPolicyIsHeldAgainstWhatExpires() throws InterruptedException {
        try (RedisServer server = RedisServer.start("maxmemory 100mb", "maxmemory-policy noeviction")) {
            server.commands().set("prod:app:page:1", "x", SetArgs.Builder.ex(600));
            assertThat(Audits.only(Audits.of(server.uri(), Audits.QUICK), Rules.EVICTION_UNFIT)
                            .evidence())
                    .contains("noeviction");

            server.commands().persist("prod:app:page:1");
            server.commands().configSet("maxmemory-policy", "volatile-lru");
            assertThat(Audits.only(Audits.of(server.uri(), Audits.QUICK), Rules.EVICTION_UNFIT)
                            .evidence())
                    .contains("volatile-lru");

            server.commands().configSet("maxmemory-policy", "noeviction");
            assertThat(Audits.findings(Audits.of(server.uri(), Audits.QUICK), Rules.EVICTION_UNFIT))
                    .isEmpty();
        }
    }

    @Test
    void aSettingThatChangedSinceTheLastReportIsTold() throws InterruptedException {
        try (RedisServer server = RedisServer.start("maxmemory 100mb")) {
            Report before = Audits.of(server.uri(), Audits.QUICK);
            assertThat(Audits.findings(Audits.of(server.uri(), Audits.QUICK.withPrevious(before)), Rules.CONFIG_DRIFT))
                    .isEmpty();

            server.commands().configSet("maxmemory-policy", "allkeys-random");

            assertThat(Audits.only(Audits.of(server.uri(), Audits.QUICK.withPrevious(before)), Rules.CONFIG_DRIFT)
                            .evidence())
                    .contains("maxmemory-policy", "noeviction", "allkeys-random");
        }
    }

    @Test
    void memoryIsAttributedAndTheRestExplained() throws InterruptedException {
        try (RedisServer server = RedisServer.start("maxmemory 100mb")) {
            server.commands()
                    .eval(
                            "for i = 1, 20000 do redis.call('set', 'prod:app:page:' .. i, string.rep('x', 100), 'EX', 1000)"
                                    + " redis.call('hset', 'prod:app:user:' .. i, 'name', i, 'mail', i) end return 0",
                            ScriptOutputType.INTEGER);

            Report report = Audits.of(server.uri(), Audits.QUICK);

            assertThat(report.memory().attributed()
                            + report.memory().explained().values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum())
                    .isEqualTo(report.memory().used());
            assertThat(Math.abs(report.memory().explained().getOrDefault("unexplained", 0L)))
                    .as("of %s", report.memory())
                    .isLessThan(report.memory().used() / 5);
            assertThat(report.families()).extracting(family -> family.keys()).containsExactly(20_000L, 20_000L);
        }
    }

    @Test
    void whatRedisKeepsOfTheTimesOfItsCommandsIsExplained() throws InterruptedException {
        try (RedisServer server = RedisServer.start("maxmemory 100mb")) {
            server.commands()
                    .eval(
                            "for _, word in ipairs({'get', 'strlen', 'ttl', 'pttl', 'type', 'exists', 'llen', 'lpop', 'rpop',"
                                    + " 'scard', 'smembers', 'spop', 'hlen', 'hkeys', 'hvals', 'hgetall', 'zcard', 'zpopmin',"
                                    + " 'zpopmax', 'xlen', 'del', 'unlink', 'persist', 'incr', 'decr'}) do"
                                    + " redis.call(word, 'prod:app:page:1') redis.call('del', 'prod:app:page:1') end return 0",
                            ScriptOutputType.INTEGER);

            Report report = Audits.of(server.uri(), Audits.QUICK);

            assertThat(report.memory().explained().get("latency_histograms"))
                    .as("of %s", report.memory())
                    .isGreaterThan(25 * 24_000L);
            assertThat(Math.abs(report.memory().explained().getOrDefault("unexplained", 0L)))
                    .as("of %s", report.memory())
                    .isLessThan(report.memory().used() / 5);
        }
    }

    @Test
    void whereNoTimesOfCommandsAreKeptNoneAreExplained() throws InterruptedException {
        try (RedisServer server = RedisServer.start("maxmemory 100mb", "latency-tracking no")) {
            assertThat(Audits.of(server.uri(), Audits.QUICK).memory().explained())
                    .doesNotContainKey("latency_histograms");
        }
    }

    /** Once, between the two looks. */
    private static Progress during(Runnable deed) {
        AtomicBoolean done = new AtomicBoolean();
        return step -> {
            if (step.phase().equals("watching") && done.compareAndSet(false, true)) {
                deed.run();
            }
            return true;
        };
    }
}
