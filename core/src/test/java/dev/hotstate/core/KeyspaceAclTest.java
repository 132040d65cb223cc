package dev.hotstate.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyspaceAclTest {
    private static final Service LIMITS = new Service(
            "limits", List.of(family("limits", "rate_limit")), List.of(Agenda.DEPTH), Set.of("get", "memory|usage"));
    private static final Service JOBS =
            new Service("jobs", List.of(family("jobs", "job")), List.of(Agenda.PUT), Set.of("lrange"));
    private static final KeyspaceAcl ACL = KeyspaceAcl.of(Keyspace.of("prod:app", LIMITS, JOBS, CoreKeys.SERVICE));

    @Test
    void thePrintedRulesSayAllAUserMayDo() {
        KeyspaceAcl.User limits = ACL.service("limits");

        assertThat(limits.setUser())
                .isEqualTo("ACL SETUSER hotstate-limits reset on >CHANGE-ME resetkeys resetchannels -@all"
                        + " ~prod:app:{*}:rate_limit:*"
                        + " +asking +client|setname +cluster|myid +cluster|nodes +eval +evalsha +get +hello +hlen +info"
                        + " +memory|usage +ping +time +zcard +zcount +zrange");
        assertThat(limits.aclFileLine())
                .startsWith("user hotstate-limits on >CHANGE-ME resetkeys")
                .endsWith("+zrange");
    }

    @Test
    void aServiceWithGuardedScriptsStandsOnCore() {
        KeyspaceAcl.User jobs = ACL.service("jobs");

        assertThat(jobs.keys()).contains("prod:app:{*}:job:*", "prod:app:{*}:incarnation");
        assertThat(jobs.commands()).contains("lrange", "xread", "scan").doesNotContain("get");
    }

    @Test
    void theServersUserMayDoWhatItsServicesMay() {
        KeyspaceAcl.User server = ACL.server();

        assertThat(server.name()).isEqualTo("hotstate");
        for (String service : List.of("core", "jobs", "limits")) {
            assertThat(server.keys()).containsAll(ACL.service(service).keys());
            assertThat(server.commands()).containsAll(ACL.service(service).commands());
        }
    }

    @Test
    void noUserMayDoWhatIsDangerous() {
        assertThat(ACL.users())
                .hasSize(4)
                .allSatisfy(user -> assertThat(user.commands())
                        .doesNotContain(
                                "keys",
                                "flushall",
                                "flushdb",
                                "config",
                                "acl",
                                "debug",
                                "shutdown",
                                "cluster",
                                "client"));
    }

    @Test
    void aServiceThatKeepsNothingHasNoUserButTheServerMayDoWhatItNeeds() {
        Service eyes = new Service("eyes", List.of(), List.of(), Set.of("slowlog|get"));
        KeyspaceAcl acl = KeyspaceAcl.of(Keyspace.of("prod:app", LIMITS, eyes));

        assertThat(acl.users()).extracting(KeyspaceAcl.User::name).containsExactly("hotstate", "hotstate-limits");
        assertThat(acl.server().commands()).contains("slowlog|get");
        assertThat(acl.server().owners()).containsExactly("eyes", "limits");
    }

    @Test
    void everyUserHasOneLine() {
        assertThat(ACL.setUserLines().lines()).hasSize(4).allMatch(line -> line.startsWith("ACL SETUSER hotstate"));
        assertThat(ACL.aclFile().lines()).hasSize(4).allMatch(line -> line.startsWith("user hotstate"));
    }

    @Test
    void aServiceThatIsNotThereIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ACL.service("drivers"))
                .withMessage("there is no service drivers");
    }

    private static KeyFamily family(String owner, String word) {
        return KeyFamily.string("{<partition>}:" + word + ":<id>")
                .id("partition", 8)
                .id("id", 8)
                .owner(owner)
                .kept("for the test")
                .typically(1, 10)
                .example("{a}:" + word + ":b")
                .why("a test")
                .declared();
    }
}
