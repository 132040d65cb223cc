package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A Redis without memory takes no new job, but what is under way ends, is archived, and makes room. */
@ExtendWith(Testkit.class)
class FullRedisIT {
    private final RedisServer server;
    private RedisBench bench;

    FullRedisIT(RedisServer server) {
        this.server = server;
    }

    @BeforeEach
    void open() {
        bench = new RedisBench(server);
    }

    @AfterEach
    void close() {
        server.commands().configSet("maxmemory", "0");
        bench.close();
    }

    @Test
    void whatIsUnderWayEndsAndIsArchived() {
        bench.load(new Flow("paid").task("a").task("b", "a"));
        Claimed a = bench.claimOne();

        server.commands().configSet("maxmemory", "1");

        assertThatThrownBy(() -> bench.load(new Flow("next").task("a"))).isInstanceOf(HotstateException.class);
        assertThat(bench.succeed(a)).isEqualTo(Ended.DONE);
        assertThat(bench.succeed(bench.claimOne())).isEqualTo(Ended.DONE);
        assertThat(bench.job("paid").status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(bench.archivedStates("paid", "")).contains("SUCCEEDED");
        bench.graphs.retire("paid", List.of("a", "b"), Duration.ofHours(1));
        assertThat(server.keys().stream().filter(key -> key.contains("paid")))
                .isNotEmpty()
                .allSatisfy(key -> assertThat(server.commands().pttl(key)).isPositive());
    }
}
