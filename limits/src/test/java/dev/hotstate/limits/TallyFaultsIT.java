package dev.hotstate.limits;

import static dev.hotstate.limits.TallySample.LOGIN;
import static dev.hotstate.limits.TallySample.deny;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Redis;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.SettableClock;
import dev.hotstate.testkit.TcpProxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is lost when Redis, or the way to it, fails: what was under way, and nothing twice. */
class TallyFaultsIT {
    private final RedisServer server = RedisServer.start();
    private final TcpProxy proxy = TcpProxy.to(server.port());
    private final SettableClock clock = SettableClock.at(Instant.parse("2026-01-01T12:00:00Z"));
    private final Redis near =
            TallySample.connect(TallySample.patient(server.uri()).withClock(clock));
    private final Redis far = TallySample.connect(
            TallySample.quick("redis://127.0.0.1:" + proxy.port()).withClock(clock));
    private final Tally reader = new Tally(near);
    private final Tally tally = new Tally(far);

    @AfterEach
    void end() {
        reader.close();
        proxy.restore();
        tally.close();
        near.close();
        far.close();
        proxy.close();
        server.close();
    }

    @Test
    void whileRedisIsAwayCountsAreDroppedAndThenTheyGoOn() {
        deny(tally, LOGIN, "before", 1);
        tally.flush();
        proxy.cut();
        for (int second = 0; second < 10; second++) {
            deny(tally, LOGIN, "meanwhile", 1);
            tally.flush();
        }

        proxy.restore();
        Eventually.until("counts arrive again", () -> {
            deny(tally, LOGIN, "after", 1);
            tally.flush();
            return subjects().contains("after");
        });

        assertThat(subjects()).containsExactlyInAnyOrder("before", "after");
    }

    @Test
    void whatMayHaveArrivedIsNotSentAgain() {
        deny(tally, LOGIN, "ann", 1);
        tally.flush();

        // Longer than an attempt may take: the answer comes when nobody waits for it any more.
        proxy.delay(Duration.ofMillis(400));
        deny(tally, LOGIN, "ann", 10);
        tally.flush();
        Eventually.until("the late counts arrive", () -> denials() > 1);
        proxy.restore();
        Eventually.until("the way is free again", () -> {
            deny(tally, LOGIN, "bob", 1);
            tally.flush();
            return subjects().contains("bob");
        });

        assertThat(denials()).isEqualTo(11);
    }

    @Test
    void aRedisThatForgotTheScriptIsSentItWhole() {
        deny(tally, LOGIN, "ann", 1);
        tally.flush();
        server.commands().scriptFlush();

        deny(tally, LOGIN, "ann", 1);
        tally.flush();

        assertThat(denials()).isEqualTo(2);
    }

    private long denials() {
        return reader.top(1_000).stream()
                .filter(top -> top.subject().equals("ann"))
                .mapToLong(TopSubject::denied)
                .sum();
    }

    private List<String> subjects() {
        return reader.top(1_000).stream().map(TopSubject::subject).toList();
    }
}
