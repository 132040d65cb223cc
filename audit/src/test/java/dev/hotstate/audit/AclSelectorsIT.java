package dev.hotstate.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.audit.report.Finding;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.rules.Rule;
import dev.hotstate.audit.rules.Rules;
import dev.hotstate.testkit.RedisServer;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.StatusOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Users of Redis 7 whose rights are in several parts. */
class AclSelectorsIT {
    @Test
    void aSelectorTakesNothingAwayFromWhatItsUserMay() throws InterruptedException {
        try (RedisServer server = RedisServer.start()) {
            user(server, "whole on >pw ~* +@all (~prod:app:page:* +get)");
            user(server, "part on >pw ~prod:app:page:* -@all +get +flushall (~prod:app:user:* +@all -@dangerous)");
            user(server, "second on >pw ~prod:app:page:* -@all +get (~prod:app:user:* +keys)");

            Report report = Audits.of(server.uri(), Audits.QUICK);

            assertThat(evidence(report, Rules.COMMAND_DANGEROUS, "whole")).contains("FLUSHALL", "CONFIG");
            assertThat(evidence(report, Rules.COMMAND_DANGEROUS, "part"))
                    .contains("FLUSHALL")
                    .doesNotContain("CONFIG");
            assertThat(evidence(report, Rules.COMMAND_DANGEROUS, "second")).endsWith("may call KEYS");
            assertThat(Audits.findings(report, Rules.ACL_TOO_WIDE))
                    .extracting(Finding::subject)
                    .containsExactly("default", "whole");
        }
    }

    @Test
    void allKeysInOnePartAndAllCommandsInAnotherAreNotAllOfBoth() throws InterruptedException {
        try (RedisServer server = RedisServer.start()) {
            user(server, "narrow on >pw ~* -@all +get (~prod:app:page:* +@all)");

            assertThat(Audits.findings(Audits.of(server.uri(), Audits.QUICK), Rules.ACL_TOO_WIDE))
                    .extracting(Finding::subject)
                    .containsExactly("default");
        }
    }

    @Test
    void aParenthesisInAPatternOfKeysIsNoSelector() throws InterruptedException {
        try (RedisServer server = RedisServer.start()) {
            user(server, "web on >pw ~prod:app:(page)* -@all +get");

            Report report = Audits.of(server.uri(), """
                    version: 1
                    families:
                      - {name: page, pattern: "prod:app:(page)<id>", type: string, owner: web, lifetime: any}
                    """);

            assertThat(evidence(report, Rules.ACL_TOO_WIDE, "web")).isEmpty();
        }
    }

    private static String evidence(Report report, Rule rule, String subject) {
        return Audits.findings(report, rule).stream()
                .filter(finding -> finding.subject().equals(subject))
                .map(Finding::evidence)
                .collect(Collectors.joining());
    }

    private static void user(RedisServer server, String rules) {
        CommandArgs<String, String> args = new CommandArgs<>(StringCodec.UTF8).add("SETUSER");
        Stream.of(rules.split(" ")).forEach(args::add);
        server.commands().dispatch(CommandType.ACL, new StatusOutput<>(StringCodec.UTF8), args);
    }
}
