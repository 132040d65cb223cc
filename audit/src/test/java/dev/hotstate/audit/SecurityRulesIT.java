package dev.hotstate.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.audit.rules.Severity;
import dev.hotstate.audit.schema.SchemaReader;
import dev.hotstate.audit.wire.UnansweredException;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TestCertificate;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule about users and encryption finds what is planted. */
class SecurityRulesIT {
    private static final RedisServer SERVER = RedisServer.start("maxmemory 100mb");
    private static final String SCHEMA = """
            version: 1
            prefix: "prod:app"
            users: [{name: web, owners: [pages, users], commands: [ping]}]
            families:
              - {name: page, pattern: "page:<id>", type: string, owner: pages, lifetime: any, acl: [get, set]}
              - {name: user, pattern: "user:<id>", type: hash, owner: users, lifetime: any, acl: ["+hget", "+hset"]}
              - {name: job, pattern: "job:<id>", type: hash, owner: jobs, lifetime: any}
            """;

    @BeforeEach
    void noUserButTheDefault() {
        for (String line : SERVER.commands().aclList()) {
            String name = line.split(" ")[1];
            if (!name.equals("default")) {
                SERVER.commands().aclDeluser(name);
            }
        }
        SERVER.commands().aclLogReset();
    }

    @AfterAll
    static void end() {
        SERVER.close();
    }

    @Test
    void anOpenDefaultUserIsToldAndAClosedOneIsNot() throws InterruptedException {
        assertThat(Audits.only(audit(SCHEMA), Rules.DEFAULT_USER_OPEN).severity())
                .isEqualTo(Severity.ERROR);

        try (RedisServer closed = RedisServer.start("requirepass secret")) {
            assertThat(Audits.findings(Audits.of(closed.uri(), Audits.QUICK), Rules.DEFAULT_USER_OPEN))
                    .isEmpty();
        }
    }

    @Test
    void aUserWithAllRightsIsTooWide() throws InterruptedException {
        user("admin on >pw ~* &* +@all");

        assertThat(Audits.findings(audit(SCHEMA), Rules.ACL_TOO_WIDE))
                .extracting(Finding::subject)
                .containsExactly("admin", "default");
    }

    @Test
    void aUserWithKeysBeyondItsOwnersFamiliesIsTooWide() throws InterruptedException {
        user("jobs on >pw ~prod:app:job:* ~prod:app:user:* -@all +hget");
        user("app-jobs on >pw ~prod:app:job:1* -@all +hget");

        Finding wide = only("jobs", Rules.ACL_TOO_WIDE);

        assertThat(wide.evidence()).contains("~prod:app:user:*").doesNotContain("job:*");
        assertThat(Audits.findings(audit(SCHEMA), Rules.ACL_TOO_WIDE))
                .noneMatch(finding -> finding.subject().equals("app-jobs"));
    }

    @Test
    void aUserWithCommandsBeyondThoseDeclaredIsTooWide() throws InterruptedException {
        user("web on >pw ~prod:app:page:* ~prod:app:user:* -@all +get +set +hget +hset +ping");
        assertThat(Audits.findings(audit(SCHEMA), Rules.ACL_TOO_WIDE))
                .noneMatch(finding -> finding.subject().equals("web"));

        user("web +del");
        assertThat(only("web", Rules.ACL_TOO_WIDE).evidence()).contains("+del").doesNotContain("+hget");
    }

    @Test
    void whereAFamilyDeclaresNoCommandsThoseOfItsTypeAreEnough() throws InterruptedException {
        user("jobs on >pw ~prod:app:job:* -@all +hget +hset +del +ping");
        assertThat(Audits.findings(audit(SCHEMA), Rules.ACL_TOO_WIDE))
                .noneMatch(finding -> finding.subject().equals("jobs"));

        user("jobs +lpush");
        assertThat(only("jobs", Rules.ACL_TOO_WIDE).evidence())
                .contains("+lpush")
                .doesNotContain("+hget");
    }

    @Test
    void rightsThatNobodyUsesAreTold() throws InterruptedException {
        user("web on >pw ~prod:app:page:* -@all +get +xautoclaim");
        SERVER.commands().get("prod:app:page:1");

        Finding unused = only("web", Rules.ACL_UNUSED);

        assertThat(unused.evidence())
                .contains("xautoclaim", "no connection is this user")
                .doesNotContain(" get");
    }

    @Test
    void dangerousCommandsOfServicesAreToldAndThoseOfOperatorsAreNot() throws InterruptedException {
        user("web on >pw ~prod:app:* +@all -@dangerous +flushall");
        user("operator on >pw -@all +@admin");
        user("tidy on >pw ~prod:app:* +@all -@dangerous");
        user("gone off >pw ~* +@all");

        assertThat(Audits.findings(audit(SCHEMA), Rules.COMMAND_DANGEROUS))
                .extracting(finding -> finding.subject() + ": " + finding.evidence())
                .hasSize(2)
                .anySatisfy(told -> assertThat(told).startsWith("default"))
                .anySatisfy(told -> assertThat(told).startsWith("web").endsWith("may call FLUSHALL"));
    }

    @Test
    void aPartOfADangerousCommandIsDangerousUnlessItOnlyTells() throws InterruptedException {
        user("sets on >pw ~prod:app:* -@all +get +config|set");
        user("asks on >pw ~prod:app:* -@all +get +config|get +acl|whoami");

        assertThat(only("sets", Rules.COMMAND_DANGEROUS).evidence()).endsWith("may call CONFIG");
        assertThat(Audits.findings(audit(SCHEMA), Rules.COMMAND_DANGEROUS))
                .noneMatch(finding -> finding.subject().equals("asks"));
    }

    @Test
    void whatTheServerRefusedIsTold() throws InterruptedException {
        user("web on >pw ~prod:app:page:* -@all +get");
        RedisClient client = RedisClient.create("redis://web:pw@127.0.0.1:" + SERVER.port());
        try (var connection = client.connect()) {
            assertThatThrownBy(() -> connection.sync().set("prod:app:page:1", "x"))
                    .isInstanceOf(RedisCommandExecutionException.class);
        } finally {
            client.shutdown();
        }

        assertThat(Audits.findings(audit(SCHEMA), Rules.ACL_DENIED))
                .anySatisfy(finding -> assertThat(finding.subject()).contains("web", "command", "set"));
    }

    @Test
    void theRuleThatItPrintsIsAllThatAnAuditNeeds() throws InterruptedException {
        SERVER.commands().hset("prod:app:user:1", "name", "x");
        SERVER.commands().set("prod:app:page:1", "x");
        SERVER.commands().xadd("prod:app:log:1", "f", "x");
        user(Auditor.aclRule().replace("ACL SETUSER ", "").replace("CHANGE-ME", "pw"));

        Report report = Audits.of(
                "redis://hotstate-audit:pw@127.0.0.1:" + SERVER.port(),
                AuditOptions.DEFAULT.inFull().withWatch(Duration.ofMillis(10)));

        assertThat(report.notLookedAt()).isEmpty();
        assertThat(report.keys()).isEqualTo(3);
        assertThat(Audits.findings(report, Rules.ACL_DENIED)).isEmpty();
        SERVER.flushAll();
    }

    @Test
    void withTheRightToScanAloneItSaysWhatItCouldNotLookAt() throws InterruptedException {
        SERVER.commands().set("prod:app:page:1", "x");
        SERVER.commands().set("stray", "x");
        user("poor on >pw ~* -@all +scan");

        Report report = Audits.of(
                "redis://poor:pw@127.0.0.1:" + SERVER.port(), Audits.QUICK.withSchema(SchemaReader.read(SCHEMA)));

        assertThat(report.keys()).isEqualTo(2);
        assertThat(Audits.only(report, Rules.KEY_FOREIGN).keys()).containsExactly("stray");
        assertThat(report.notLookedAt())
                .extracting(Report.NotLookedAt::what)
                .contains(
                        "INFO", "CONFIG GET", "ACL LIST", "CLIENT LIST", "SLOWLOG GET", "TYPE", "PTTL", "MEMORY USAGE");
        SERVER.flushAll();
    }

    @Test
    void withoutTheRightToScanNothingIsComplete() throws InterruptedException {
        SERVER.commands().set("prod:app:page:1", "x");
        user("blind on >pw ~* +@all -scan");
        String url = "redis://blind:pw@127.0.0.1:" + SERVER.port();

        for (AuditOptions options : List.of(Audits.QUICK, Audits.QUICK.inFull())) {
            Report report = Audits.of(url, options);
            assertThat(report.complete()).isFalse();
            assertThat(report.notLookedAt())
                    .filteredOn(one -> one.what().equals("SCAN"))
                    .singleElement()
                    .satisfies(one -> assertThat(one.why()).startsWith("NOPERM"));
            assertThat(Audits.findings(report, Rules.NODE_DOWN)).isEmpty();
        }
        assertThatThrownBy(() -> Inference.infer(AuditTarget.of(url), Audits.QUICK, Progress.NONE))
                .isInstanceOf(IncompleteException.class)
                .hasMessageContaining("SCAN: NOPERM");
        SERVER.flushAll();
    }

    @Test
    void keysThatTheUserMayNotLookAtAreCountedAndNotTakenForLookedAt() throws InterruptedException {
        SERVER.commands().set("prod:app:page:1", "x");
        SERVER.commands().set("prod:app:secret:1", "x");
        SERVER.commands().set("prod:app:secret:2", "x");
        user("part on >pw ~prod:app:page:* +@all");

        for (AuditOptions options : List.of(Audits.QUICK, Audits.QUICK.inFull())) {
            Report report = Audits.of("redis://part:pw@127.0.0.1:" + SERVER.port(), options);

            assertThat(report.keys()).isEqualTo(3);
            assertThat(report.families()).extracting(family -> family.sampled()).containsExactlyInAnyOrder(0L, 1L);
            assertThat(report.notLookedAt())
                    .filteredOn(one -> one.what().startsWith("2 keys on "))
                    .singleElement()
                    .satisfies(one -> assertThat(one.why()).startsWith("NOPERM"));
        }
        SERVER.flushAll();
    }

    @Test
    void withoutTheRightPasswordNothingIsAudited() {
        assertThatThrownBy(() -> Audits.of("redis://nobody:pw@127.0.0.1:" + SERVER.port(), Audits.QUICK))
                .isInstanceOf(UnansweredException.class)
                .hasMessageContaining("did not let us in")
                .hasMessageNotContaining("pw@");
    }

    @Test
    void plaintextOnAnOpenAddressIsToldAndTlsIsNot(@TempDir Path folder) throws Exception {
        TestCertificate certificate = TestCertificate.make("ip:127.0.0.1", folder);
        int port = freePort();
        try (RedisServer open = RedisServer.start(
                "bind 0.0.0.0",
                "protected-mode no",
                "tls-port " + port,
                "tls-cert-file " + certificate.certificate(),
                "tls-key-file " + certificate.key(),
                "tls-ca-cert-file " + certificate.certificate(),
                "tls-auth-clients no")) {
            open.commands().set("prod:app:page:1", "x");

            assertThat(Audits.only(Audits.of(open.uri(), Audits.QUICK), Rules.TLS_OFF)
                            .severity())
                    .isEqualTo(Severity.WARNING);
            String tls = "rediss://127.0.0.1:" + port;
            Report report = Audits.of(tls + "?ca=" + certificate.certificate(), Audits.QUICK);
            assertThat(Audits.findings(report, Rules.TLS_OFF)).isEmpty();
            assertThat(report.keys()).isEqualTo(1);
            assertThat(Audits.of(tls + "?verify=none", Audits.QUICK).keys()).isEqualTo(1);
            assertThatThrownBy(() -> Audits.of(tls, Audits.QUICK)).isInstanceOf(UnansweredException.class);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Report audit(String schema) throws InterruptedException {
        return Audits.of("redis://127.0.0.1:" + SERVER.port(), schema);
    }

    private static Finding only(String user, Rule rule) throws InterruptedException {
        return Audits.findings(audit(SCHEMA), rule).stream()
                .filter(finding -> finding.subject().equals(user))
                .findFirst()
                .orElseThrow();
    }

    private static void user(String rules) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add("SETUSER");
        Stream.of(rules.split(" ")).forEach(args::add);
        SERVER.commands().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
    }
}
