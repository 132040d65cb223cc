package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is recorded is checked, and counted at its time. */
class RecorderTest {
    private static final long NOW = TestFleet.START.toEpochMilli();

    private final SettableClock clock = SettableClock.at(TestFleet.START);
    private final Stripes stripes = Stripes.forReports(4);
    private final InstanceRecorder recorder = new InstanceRecorder(new Endpoints(3), clock, stripes);

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 99, 600})
    void aStatusIsOneOfHttp(int status) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> recorder.record("GET", "/a", status, Duration.ZERO))
                .withMessage("status must be 100 to 599, not " + status);
        assertThat(drained()).isEmpty();
    }

    @Test
    void aTimeIsNotNegative() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> recorder.record("GET", "/a", 200, Duration.ofNanos(-1)))
                .withMessageContaining("took must not be negative");
        assertThat(drained()).isEmpty();
    }

    @Test
    void aTimeBeyondAnHourIsAnHour() {
        recorder.record("GET", "/a", 200, Duration.ofSeconds(Long.MAX_VALUE));

        assertThat(drained()).containsExactly(new Sample(NOW, 3_600_000_000L, 200));
    }

    @Test
    void aRequestIsCountedAtTheTimeOfTheClock() {
        recorder.record("GET", "/a", 204, Duration.ofNanos(12_999));

        assertThat(drained()).containsExactly(new Sample(NOW, 12, 204));
    }

    @Test
    void aReportIsCountedAtItsTimeForADay() {
        recorder.record("GET", "/a", 200, Duration.ZERO, TestFleet.START.minusSeconds(86_400));
        recorder.record("GET", "/a", 200, Duration.ZERO, TestFleet.START.minusMillis(86_400_001));
        recorder.record("GET", "/a", 200, Duration.ZERO, TestFleet.START.plusMillis(1));
        recorder.record("GET", "/a", 200, Duration.ZERO, Instant.MIN);

        assertThat(drained()).extracting(Sample::atMs).containsExactlyInAnyOrder(NOW - 86_400_000, NOW, NOW, NOW);
    }

    @Test
    void thePeakOfConnectionsIsThatSinceItWasLastAsked() {
        OpenConnections connections = new OpenConnections();
        connections.began();
        connections.began();
        connections.ended();

        assertThat(connections.takePeak()).isEqualTo(2);
        assertThat(connections.takePeak()).isEqualTo(1);
        connections.ended();
        connections.ended();
        assertThat(connections.current()).isZero();
    }

    @Test
    void aConnectionMayEndInAnotherThreadThanItBegan() throws InterruptedException {
        OpenConnections connections = new OpenConnections(8);
        for (int i = 0; i < 100; i++) {
            Thread.ofPlatform().start(connections::began).join();
        }
        for (int i = 0; i < 99; i++) {
            Thread.ofPlatform().start(connections::ended).join();
        }

        assertThat(connections.current()).isEqualTo(1);
        assertThat(connections.takePeak()).isEqualTo(100);
        assertThat(connections.takePeak()).isEqualTo(1);
    }

    @Test
    void oneConnectionAfterTheOtherIsNeverMoreThanOne() throws InterruptedException {
        OpenConnections connections = new OpenConnections(8);
        for (int i = 0; i < 100; i++) {
            Thread.ofPlatform().start(connections::began).join();
            Thread.ofPlatform().start(connections::ended).join();
        }

        assertThat(connections.takePeak()).isEqualTo(1);
    }

    @Test
    void aCrowdBeyondThoseThatAllLookIsSeenWithinAsManyAsDoNot() {
        OpenConnections connections = new OpenConnections(8);
        int crowd = 2 * OpenConnections.ALL_LOOK;
        for (int i = 0; i < crowd; i++) {
            connections.began();
        }
        for (int i = 0; i < crowd; i++) {
            connections.ended();
        }

        assertThat(connections.takePeak()).isBetween(crowd - 4 * 8, crowd);
        connections.began();
        connections.ended();
        assertThat(connections.takePeak()).isEqualTo(1);
    }

    @Test
    void connectionsOfManyThreadsAddUp() throws InterruptedException {
        OpenConnections connections = new OpenConnections(8);
        CountDownLatch allOpen = new CountDownLatch(8);
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 10_000; i++) {
                    connections.began();
                    connections.ended();
                }
                connections.began();
                allOpen.countDown();
            }));
        }
        allOpen.await();

        assertThat(connections.current()).isEqualTo(8);
        assertThat(connections.takePeak()).isBetween(8, 16);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private List<Sample> drained() {
        List<Sample> samples = new ArrayList<>();
        stripes.drain(page -> page.cells(cell -> cell.samples(samples::add)));
        return samples;
    }
}
