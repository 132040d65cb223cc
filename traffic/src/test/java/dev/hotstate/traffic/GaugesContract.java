package dev.hotstate.traffic;

import static dev.hotstate.traffic.TestFleet.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the fleet does now: speeds, connections and instances, their maxima, and what a crash leaves. */
abstract class GaugesContract extends FleetContract {
    GaugesContract(RedisTarget target) {
        super(target);
    }

    @Test
    void speedIsThatOfASecondOverTheFleetOnceItIsClosed() {
        for (int i = 0; i < 30; i++) {
            get(here, "/a", 200, 1);
            get(there, "/a", 200, 1);
        }
        flushBoth();
        assertThat(here.summary().requests().speedPerSecond()).isZero();

        fleet.clock.advance(Duration.ofSeconds(1));
        get(here, "/a", 200, 1);
        flushBoth();
        fleet.clock.advance(Duration.ofSeconds(2));
        flushBoth();
        assertThat(here.summary().requests().speedPerSecond()).isEqualTo(60);
        assertThat(here.summary().requests().maxSpeedPerSecond()).isEqualTo(60);

        fleet.clock.advance(Duration.ofSeconds(1));
        flushBoth();
        assertThat(here.summary().requests().speedPerSecond()).isEqualTo(1);
        assertThat(here.summary().requests().maxSpeedPerSecond()).isEqualTo(60);
    }

    @Test
    void connectionsOfACrashedInstanceAreGoneWhenItsLeaseEnds() {
        open(here, 3);
        open(there, 4);
        flushBoth();
        assertThat(here.summary().connections()).isEqualTo(new Summary.Connections(7, 7));
        assertThat(here.summary().instances()).isEqualTo(2);

        fleet.clock.advance(Duration.ofSeconds(6));
        here.flush();

        assertThat(here.summary().connections()).isEqualTo(new Summary.Connections(3, 7));
        assertThat(here.summary().instances()).isEqualTo(1);
    }

    @Test
    void aPeakWithinASecondIsSeenAlthoughItIsOverWhenTheSecondIsFlushed() {
        open(here, 5);
        for (int i = 0; i < 5; i++) {
            here.recorder().ended();
        }
        here.flush();
        fleet.clock.advance(Duration.ofSeconds(1));
        here.flush();

        assertThat(here.summary().connections()).isEqualTo(new Summary.Connections(0, 5));
    }

    @Test
    void maximaBeginAnewWithTheFirstInstanceAfterNobodyWasThere() {
        open(here, 9);
        get(here, "/a", 200, 1);
        here.flush();
        fleet.clock.advance(Duration.ofSeconds(3));
        here.flush();
        assertThat(here.summary().requests().maxSpeedPerSecond()).isEqualTo(1);
        here.close();

        open(there, 2);
        there.flush();

        assertThat(there.summary().connections()).isEqualTo(new Summary.Connections(2, 2));
        assertThat(there.summary().requests().maxSpeedPerSecond()).isZero();
        assertThat(there.summary().requests().total()).isEqualTo(1);
    }

    @Test
    void anInstanceThatIsClosedLosesNothingAndIsGoneAtOnce() {
        open(here, 2);
        there.flush();
        get(here, "/a", 200, 1);

        here.close();

        assertThat(there.summary().requests().total()).isEqualTo(1);
        assertThat(there.summary().connections().current()).isZero();
        assertThat(there.summary().instances()).isEqualTo(1);
    }

    @Test
    void anInstanceWhoseClockIsFarOffCountsIntoTheFleetsSeconds() {
        Traffic skewed = fleet.instance(
                TrafficOptions.of("web-9", () -> fleet.clock.instant().minusSeconds(40)));
        get(skewed, "/a", 200, 1);
        skewed.flush();
        fleet.clock.advance(Duration.ofSeconds(3));
        here.flush();

        assertThat(here.summary().requests().speedPerSecond()).isEqualTo(1);
    }

    @Test
    void whoseOwnClockIsOffSeesTheSameInstancesLive() {
        flushBoth();

        for (int seconds : List.of(-40, 40)) {
            Traffic skewed = fleet.instance(
                    TrafficOptions.of("web-9", () -> fleet.clock.instant().plusSeconds(seconds)));
            assertThat(skewed.living()).containsExactlyElementsOf(here.living()).hasSize(2);
            assertThat(skewed.summary().instances()).isEqualTo(2);
        }
    }

    @Test
    void ofTheWholeFleetOneIsToldWhatChangedOnceASecond() {
        flushBoth();
        assertThat(here.news()).isEmpty();
        get(here, "/a", 200, 10);
        get(there, "/a", 200, 10);
        flushBoth();

        Summary told = here.news().orElseThrow();
        assertThat(told.requests().total()).isEqualTo(2);
        assertThat(told.responses().name()).isEqualTo("1m");
        assertThat(there.news()).isEmpty();
        get(there, "/a", 200, 10);
        there.flush();
        fleet.clock.advance(Duration.ofMillis(999));
        assertThat(there.news()).isEmpty();
        fleet.clock.advance(Duration.ofMillis(1));
        assertThat(there.news().orElseThrow().requests().total()).isEqualTo(3);
        fleet.clock.advance(Duration.ofSeconds(1));
        assertThat(here.news()).isEmpty();
        open(here, 1);
        here.flush();
        assertThat(here.news().orElseThrow().connections().current()).isEqualTo(1);
    }

    private static void open(Traffic traffic, int connections) {
        for (int i = 0; i < connections; i++) {
            traffic.recorder().began();
        }
    }
}
