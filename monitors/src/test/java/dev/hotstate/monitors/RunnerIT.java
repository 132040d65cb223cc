package dev.hotstate.monitors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.core.Agenda.Claimed;
import dev.hotstate.core.Partitions;
import dev.hotstate.monitors.Monitor.Rhythm;
import dev.hotstate.monitors.check.CheckSpec;
import dev.hotstate.monitors.check.CheckSpec.CheckOptions;
import dev.hotstate.monitors.check.CheckType;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who checks what, when instances come and go, and when targets hang. */
@ExtendWith(Testkit.class)
class RunnerIT {
    private final RedisServer redis = RedisServer.start();
    private final Target target = new Target();
    private Fleet fleet;

    @BeforeEach
    void start(PostgresServer postgres) {
        fleet = new Fleet(redis, postgres.freshDatabase());
    }

    @AfterEach
    void stop() {
        fleet.close();
        target.close();
        redis.close();
    }

    @Test
    void whatADeadInstanceWasCheckingIsCheckedByAnotherWhenItsLeaseEnds() {
        Monitoring survivor = fleet.start();
        survivor.definitions().create(monitor("web", target.url("/web"), Duration.ofMinutes(10)));
        Eventually.until("it was checked", () -> live(survivor, "web").state() == State.UP);

        // As one that claims, and is killed before it records.
        try (Fleet.Lone dead = fleet.lone()) {
            Claimed taken = dead.agenda()
                    .take(new Partitions("m", 1).of("web"), "web", Duration.ofSeconds(1))
                    .orElseThrow();
            assertThat(taken.claims()).hasSize(1);
        }
        int before = target.asked();

        Eventually.until("another checks it", () -> target.asked() > before);
        Eventually.until("it is recorded", () -> !live(survivor, "web").checking());
    }

    @Test
    void targetsThatAcceptAndNeverAnswerDoNotHoldUpTheOthers() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress())) {
            String hanging = "http://127.0.0.1:" + silent.getLocalPort() + "/";
            List<Monitor> monitors = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                monitors.add(monitor("hangs-" + i, hanging, Duration.ofSeconds(10)));
            }
            Monitoring monitoring = fleet.start();
            monitoring.definitions().apply(monitors, false, false);
            Eventually.until(
                    "some of them are known to hang",
                    () -> monitoring.monitors().summary().states().get(State.PENDING) < 200);

            monitoring.definitions().create(monitor("web", target.url("/web"), Duration.ofSeconds(1)));

            int before = target.asked();
            Eventually.until("the healthy one is checked again and again", () -> target.asked() > before + 3);
            assertThat(live(monitoring, "web").state()).isEqualTo(State.UP);
        }
    }

    @Test
    void aJobWhosePingWasCutOffByACrashIsNotCalledLate() {
        Monitoring survivor = fleet.start();
        CheckSpec spec = new CheckSpec(CheckType.PUSH, "", Duration.ofSeconds(5), List.of(), CheckOptions.DEFAULTS);
        Definition job = survivor.definitions()
                .create(new Monitor(
                        "job",
                        "job",
                        spec,
                        new Rhythm(Duration.ofHours(1), 0, Duration.ofSeconds(1), 1, 1),
                        new Monitor.Push(Duration.ofMinutes(1), null),
                        List.of(),
                        List.of(),
                        List.of(),
                        null,
                        false))
                .orElseThrow();
        Eventually.until(
                "its first ping is taken", () -> survivor.pings().succeeded(job.pingKey()) == Pings.Answer.TAKEN);

        try (Fleet.Lone dead = fleet.lone()) {
            dead.agenda().take(new Partitions("m", 1).of("job"), "job", Duration.ofSeconds(1));
        }

        Eventually.until(
                "it waits for its next ping again",
                () -> live(survivor, "job").nextRunAt() != null
                        && live(survivor, "job")
                                .nextRunAt()
                                .isAfter(live(survivor, "job").checkedAt().plusSeconds(3_600)));
        assertThat(live(survivor, "job").state()).isEqualTo(State.UP);
    }

    private static Live live(Monitoring monitoring, String id) {
        return monitoring.monitors().find(id).orElseThrow().live();
    }

    private static Monitor monitor(String id, String url, Duration interval) {
        CheckSpec spec = new CheckSpec(CheckType.HTTP, url, Duration.ofSeconds(5), List.of(), CheckOptions.DEFAULTS);
        Rhythm rhythm = new Rhythm(interval, 0, Duration.ofSeconds(1), 1, 1);
        return new Monitor(id, id, spec, rhythm, null, List.of(), List.of(), List.of(), null, false);
    }
}
