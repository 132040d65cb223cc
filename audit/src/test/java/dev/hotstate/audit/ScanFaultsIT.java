package dev.hotstate.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.hotstate.audit.report.FamilyReport;
import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.schema.Schema;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import dev.hotstate.testkit.Testkit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.codec.ByteArrayCodec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names that are no text, servers that are slow, scans that are stopped. */
@ExtendWith(Testkit.class)
class ScanFaultsIT {
    private final RedisServer server;

    ScanFaultsIT(RedisServer server) {
        this.server = server;
    }

    @BeforeEach
    void empty() {
        server.flushAll();
    }

    @Test
    void namesOfAnyBytesAreCountedShownAndDrafted() throws InterruptedException {
        List<byte[]> names = List.of(
                new byte[] {0, 1, 2},
                new byte[] {(byte) 0xff, ':', (byte) 0xfe},
                "line\nbreak:1".getBytes(UTF_8),
                "\u001b]0;owned\u0007:2".getBytes(UTF_8),
                "<b>:3".getBytes(UTF_8),
                "ünïcode:{schlüssel}:4".getBytes(UTF_8),
                "back\\slash:5".getBytes(UTF_8),
                new byte[0],
                "::".getBytes(UTF_8),
                "{}:6".getBytes(UTF_8),
                "a b\tc".getBytes(UTF_8),
                "long".repeat(1000).getBytes(UTF_8));
        RedisClient client = RedisClient.create(server.uri());
        try (var connection = client.connect(ByteArrayCodec.INSTANCE)) {
            names.forEach(name -> connection.sync().set(name, "x".getBytes(UTF_8)));
        } finally {
            client.shutdown();
        }

        Report report = Audits.of(server.uri(), Audits.QUICK);
        assertThat(report.keys()).isEqualTo(names.size());
        assertThat(report.toString().chars()).noneMatch(Character::isISOControl);
        assertThat(report.families().stream().mapToLong(FamilyReport::keys).sum())
                .isEqualTo(names.size());
        assertThat(Audits.findings(report, Rules.NAME_UNPRINTABLE).stream().flatMap(finding -> finding.keys().stream()))
                .contains("\\x00\\x01\\x02", "\\xff:\\xfe", "line\\nbreak:1", "\\x1b]0;owned\\x07:2");

        Schema schema = Inference.infer(AuditTarget.of(server.uri()), Audits.QUICK, Progress.NONE);
        assertThat(schema.families()).allMatch(family -> family.name().length() < 100);
        Report under = Audits.of(server.uri(), schema);
        assertThat(Audits.findings(under, Rules.KEY_UNDECLARED)).isEmpty();
        assertThat(under.families()).allMatch(FamilyReport::declared);
    }

    @Test
    void aServerThatAnswersSlowlyGetsSmallerBatchesAndAWholeReport() throws InterruptedException {
        fill(3000);
        try (TcpProxy proxy = TcpProxy.to(server.port())) {
            proxy.delay(Duration.ofMillis(5));

            Report report = Audits.of("redis://127.0.0.1:" + proxy.port(), Audits.QUICK.withSample(50));

            assertThat(report.keys()).isEqualTo(3000);
            assertThat(report.complete()).isTrue();
            assertThat(report.cost().slowestMillis()).isGreaterThanOrEqualTo(10);
        }
    }

    @Test
    void aServerThatFallsSilentLeavesAReportOfWhatWasSeen() throws InterruptedException {
        fill(20_000);
        try (TcpProxy proxy = TcpProxy.to(server.port())) {
            Report report = Audits.of("redis://127.0.0.1:" + proxy.port(), Audits.QUICK, step -> {
                if (step.phase().equals("names")) {
                    proxy.cut();
                }
                return true;
            });

            assertThat(report.complete()).isFalse();
            assertThat(report.notLookedAt())
                    .extracting(Report.NotLookedAt::what)
                    .contains("keys of 127.0.0.1:" + proxy.port());
            assertThat(Audits.only(report, Rules.NODE_DOWN).subject()).isEqualTo("127.0.0.1:" + proxy.port());
        }
    }

    @Test
    void aStoppedAuditGoesOnWhereItWas(@TempDir Path folder) throws InterruptedException {
        fill(50_000);
        Path file = folder.resolve("resume.json");
        AuditOptions options = Audits.QUICK.withResume(file);
        Report whole = Audits.of(server.uri(), Audits.QUICK);

        Report part = Audits.of(server.uri(), options, step -> false);

        assertThat(part.complete()).isFalse();
        assertThat(part.keys()).isLessThan(50_000);
        assertThat(file).exists();
        assertThatThrownBy(() -> Audits.of(server.uri(), options.withSample(7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another schema, sample or seed");
        assertThatThrownBy(() -> Audits.of(server.uri() + "/1", options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("another Redis");

        List<Long> done = new ArrayList<>();
        Report rest = Audits.of(server.uri(), options, step -> {
            done.add(step.done());
            return true;
        });

        assertThat(rest.complete()).isTrue();
        assertThat(rest.keys()).isEqualTo(50_000);
        assertThat(rest.families())
                .extracting(FamilyReport::pattern, FamilyReport::keys, FamilyReport::examples)
                .containsExactlyElementsOf(whole.families().stream()
                        .map(family -> tuple(family.pattern(), family.keys(), family.examples()))
                        .toList());
        assertThat(done.getFirst()).isGreaterThanOrEqualTo(part.keys());
        assertThat(Files.exists(file)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"false, 20000", "true, 20000", "false, 60", "true, 60"})
    void anAuditThatWasKilledGoesOnWhereItLastWas(boolean full, int keys, @TempDir Path folder)
            throws InterruptedException {
        fill(keys);
        AuditOptions options = full ? Audits.QUICK.inFull() : Audits.QUICK;
        Report whole = Audits.of(server.uri(), options);
        Path file = folder.resolve("resume.json");
        Path left = folder.resolve("left.json");
        Audits.of(server.uri(), options.withResume(file), step -> {
            if (!step.phase().equals("watching") && !Files.exists(left)) {
                // What is on the disk at some time is what a process leaves that is killed then.
                Eventually.until("it is written where the scan is", () -> Files.exists(file));
                copy(file, left);
            }
            return true;
        });
        assertThat(file).doesNotExist();

        List<Long> done = new ArrayList<>();
        Report rest = Audits.of(server.uri(), options.withResume(left), step -> {
            done.add(step.done());
            return true;
        });

        assertThat(rest.complete()).isTrue();
        assertThat(rest.keys()).isEqualTo(keys);
        assertThat(rest.families())
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyElementsOf(whole.families());
        assertThat(done).anySatisfy(counted -> assertThat(counted).isPositive());
        assertThat(left).doesNotExist();
    }

    @Test
    void anAuditOfAllKeysThatWasStoppedGoesOnWhereItWas(@TempDir Path folder) throws InterruptedException {
        fill(20_000);
        Path file = folder.resolve("resume.json");
        AuditOptions options = Audits.QUICK.inFull().withResume(file);

        Report part = Audits.of(server.uri(), options, step -> false);

        assertThat(part.complete()).isFalse();
        assertThat(file).exists();
        assertThatThrownBy(() -> Audits.of(server.uri(), Audits.QUICK.withResume(file)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("one of all keys");

        Report rest = Audits.of(server.uri(), options);

        assertThat(rest.complete()).isTrue();
        assertThat(rest.keys()).isEqualTo(20_000);
        assertThat(rest.families())
                .extracting(FamilyReport::keys, FamilyReport::sampled)
                .containsExactly(tuple(10_000L, 10_000L), tuple(10_000L, 10_000L));
    }

    @Test
    void whoStopsAnAuditWhileItWatchesDoesNotWaitForItsEnd() throws InterruptedException {
        fill(100);

        Report report = Audits.of(server.uri(), Audits.QUICK.withWatch(Duration.ofHours(1)), step -> false);

        assertThat(report.complete()).isFalse();
    }

    @Test
    void twoReportsOfAKeyspaceThatStandsStillAreTheSame() throws InterruptedException {
        fill(5000);

        Report one = Audits.of(server.uri(), Audits.QUICK.withSample(30));
        Report other = Audits.of(server.uri(), Audits.QUICK.withSample(30));

        assertThat(other.findings().stream().map(Finding::fingerprint).toList())
                .containsExactlyElementsOf(
                        one.findings().stream().map(Finding::fingerprint).toList());
        assertThat(other.families())
                .extracting(FamilyReport::examples, FamilyReport::bytes)
                .containsExactlyElementsOf(one.families().stream()
                        .map(family -> tuple(family.examples(), family.bytes()))
                        .toList());
    }

    @Test
    void itSaysWhatItCostAndThatItOnlyRead() throws InterruptedException {
        fill(5000);
        server.commands().configResetstat();

        Report report = Audits.of(server.uri(), Audits.QUICK.inFull());

        assertThat(report.cost().commands()).isGreaterThan(15_000);
        assertThat(report.cost().bytesSent()).isGreaterThan(100_000);
        assertThat(report.cost().bytesReceived()).isGreaterThan(100_000);
        assertThat(report.cost().keysPerSecond()).isPositive();
        assertThat(server.info("commandstats").keySet())
                .as("nothing that writes")
                .doesNotContain("cmdstat_set", "cmdstat_del", "cmdstat_expire", "cmdstat_eval", "cmdstat_keys")
                .contains("cmdstat_scan", "cmdstat_type", "cmdstat_pttl", "cmdstat_memory|usage");
        assertThat(report.families())
                .allSatisfy(family -> assertThat(family.sampled()).isEqualTo(family.keys()));
    }

    private static void copy(Path from, Path to) {
        try {
            Files.copy(from, to);
        } catch (IOException unwanted) {
            throw new UncheckedIOException(unwanted);
        }
    }

    private void fill(int keys) {
        server.commands()
                .eval(
                        "for i = 1, ARGV[1] do redis.call('set', (i % 2 == 0 and 'prod:app:page:' or 'prod:app:user:') .. i,"
                                + " 'x') end return 0",
                        ScriptOutputType.INTEGER, new String[0], Integer.toString(keys));
    }
}
