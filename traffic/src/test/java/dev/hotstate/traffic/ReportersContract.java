package dev.hotstate.traffic;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static dev.hotstate.traffic.TestFleet.START;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Applications that report through an instance, late or not. */
abstract class ReportersContract extends FleetContract {
    ReportersContract(RedisTarget target) {
        super(target);
    }

    @Test
    void anotherApplicationReportsThroughThisOne() {
        Recorder reporter = here.recorder("php-1");
        reporter.record("GET", "/a", 200, Duration.ofMillis(5), START.minusSeconds(20));
        here.flush();

        assertThat(here.instances(Window.MINUTE)).extracting(Line::name).containsExactly("php-1");
        assertThat(here.endpoint("GET", "/a").orElseThrow().samples())
                .extracting(EndpointDetail.Sample::at)
                .containsExactly(START.minusSeconds(20));
        assertThat(here.summary().instances()).isEqualTo(2);
        assertThat(target)
                .key("it:traffic:{t}:requests:instance:php-1")
                .isString()
                .isEqualTo("1");

        fleet.clock.advance(Duration.ofSeconds(61));
        here.flush();
        assertThat(here.summary().instances()).isEqualTo(1);
    }

    @Test
    void aReportOfBeforeYesterdayOrOfTheFutureCountsNow() {
        here.recorder("php-1").record("GET", "/a", 200, Duration.ofMillis(5), START.minus(Duration.ofHours(25)));
        here.recorder("php-1").record("GET", "/a", 200, Duration.ofMillis(5), Instant.MAX);
        here.flush();

        assertThat(here.endpoints(Window.MINUTE)).extracting(Line::requests).containsExactly(2L);
    }

    @Test
    void aLateReportCountsInTheWindowsOfItsTimeAndInNoSpeed() {
        for (int again = 1; again <= 2; again++) {
            Recorder reporter = here.recorder("php-1");
            reporter.record("GET", "/a", 200, Duration.ofMillis(5), START.minusSeconds(300));
            reporter.record("GET", "/a", 200, Duration.ofMillis(5), START.minusSeconds(2400));
            reporter.record("GET", "/a", 500, Duration.ofMillis(5), START.minus(Duration.ofHours(5)));
            here.flush();
            // Long enough for what was told to be forgotten here: the next reports stand beside it.
            fleet.clock.advance(Duration.ofSeconds(90));
            here.flush();
        }

        assertThat(here.endpoints(Window.MINUTE)).isEmpty();
        assertThat(here.endpoints(Window.QUARTER)).extracting(Line::requests).containsExactly(2L);
        assertThat(here.endpoints(Window.HOUR)).extracting(Line::requests).containsExactly(4L);
        assertThat(here.endpoints(Window.DAY))
                .extracting(Line::requests, Line::errors)
                .containsExactly(tuple(6L, 2L));
        assertThat(here.summary().requests().total()).isEqualTo(6);
        assertThat(here.summary().requests().maxSpeedPerSecond()).isZero();
        assertThat(here.hourly()).filteredOn(hour -> hour.errors() == 2).hasSize(1);
    }

    @Test
    void reportersBeyondTheCapAreOther() {
        Traffic small = fleet.instance(TrafficOptions.of("web-3", fleet.clock).withReporters(2));
        for (int i = 0; i < 5; i++) {
            small.recorder("app-" + i).record("GET", "/a", 200, Duration.ofMillis(1));
        }
        small.flush();

        assertThat(small.instances(Window.MINUTE))
                .extracting(Line::name, Line::requests)
                .containsExactly(tuple("other", 3L), tuple("app-0", 1L), tuple("app-1", 1L));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> small.recorder("two words"))
                .withMessageContaining("instance must be");
    }

    @Test
    void processesBeyondAThousandNamesOfADayAreOther() {
        String names = TestFleet.nameOf(TrafficKeys.INSTANCES.of());
        for (int i = 0; i < RedisTraffic.INSTANCES; i++) {
            target.commands().zadd(names, fleet.clock.millis(), "gone-" + i);
        }
        Traffic late = fleet.instance("late");
        late.recorder().record("GET", "/a", 200, Duration.ofMillis(1));
        late.recorder("reporter").record("GET", "/a", 200, Duration.ofMillis(1));
        late.flush();
        late.flush();

        assertThat(late.living()).containsExactly("other");
        assertThat(late.instances(Window.MINUTE))
                .extracting(Line::name, Line::requests)
                .containsExactly(tuple("other", 2L));
        assertThat(late.checkpoint().instances()).isEqualTo(Map.of("other", 2L));
        assertThat(late.summary().requests().total()).isEqualTo(2);
    }

    @Test
    void aReporterThatWasSilentForAnHourGivesItsPlaceToAnother() {
        Traffic small = fleet.instance(TrafficOptions.of("web-3", fleet.clock).withReporters(1));
        small.recorder("app-0").record("GET", "/a", 200, Duration.ofMillis(1));
        small.flush();
        fleet.clock.advance(Duration.ofMinutes(61));
        small.flush();

        small.recorder("app-1").record("GET", "/a", 200, Duration.ofMillis(1));
        small.flush();

        assertThat(small.instances(Window.MINUTE)).extracting(Line::name).containsExactly("app-1");
    }
}
