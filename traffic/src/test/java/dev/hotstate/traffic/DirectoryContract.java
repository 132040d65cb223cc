package dev.hotstate.traffic;

import static dev.hotstate.testkit.RedisAssert.assertThat;
import static dev.hotstate.traffic.TestFleet.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.hotstate.testkit.RedisTarget;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** How many endpoints there are, and which of them have a place. */
abstract class DirectoryContract extends FleetContract {
    DirectoryContract(RedisTarget target) {
        super(target);
    }

    @Test
    void endpointsBeyondTheCapOfTheApplicationAreOther() {
        Traffic first = fleet.instance(TrafficOptions.of("web-3", fleet.clock).withEndpoints(3));
        Traffic second = fleet.instance(TrafficOptions.of("web-4", fleet.clock).withEndpoints(3));
        get(first, "/a", 200, 1);
        get(first, "/b", 200, 1);
        first.flush();
        get(second, "/b", 200, 2);
        get(second, "/c", 200, 2);
        get(second, "/d", 404, 2);
        get(second, "/e", 200, 2);
        second.flush();
        get(second, "/d", 200, 2);
        second.flush();

        Map<String, Long> requests =
                first.endpoints(Window.MINUTE).stream().collect(Collectors.toMap(Line::name, Line::requests));
        assertThat(requests)
                .containsOnly(entry("GET /a", 1L), entry("GET /b", 2L), entry("GET /c", 1L), entry("other", 3L));
        assertThat(first.endpoint("GET", "other").orElseThrow().requests()).isEqualTo(3);
        assertThat(first.endpoint("GET", "other").orElseThrow().errors()).isEqualTo(1);
        assertThat(first.summary().requests().total()).isEqualTo(7);
    }

    @Test
    void twoHundredAndMoreEndpointsOfOneSecondAreFlushedInParts() {
        for (int i = 0; i < 250; i++) {
            get(here, "/route/" + i, 200, i);
        }
        here.flush();

        List<Line> lines = here.endpoints(Window.MINUTE);
        assertThat(lines).hasSize(201);
        assertThat(lines.getFirst()).extracting(Line::name, Line::requests).containsExactly("other", 50L);
        assertThat(here.summary().requests().total()).isEqualTo(250);
    }

    @Test
    void routesTooLongForAKeyAreToldByTheirFullName() {
        String route = "/customers/{customer}/invoices/{invoice}/lines/{line}";
        get(here, route, 200, 1);
        get(here, route + "/more", 200, 1);
        here.flush();

        assertThat(here.endpoints(Window.MINUTE))
                .extracting(Line::name)
                .containsExactly("GET " + route, "GET " + route + "/more");
        assertThat(here.endpoint("GET", route).orElseThrow().requests()).isEqualTo(1);
    }

    @Test
    void anEndpointThatNobodyAskedForInLongerThanAnyWindowGivesItsPlaceToAnother() {
        Traffic small = fleet.instance(TrafficOptions.of("web-3", fleet.clock).withEndpoints(2));
        get(small, "/old", 404, 10);
        get(small, "/kept", 200, 1);
        small.flush();
        fleet.clock.advance(Retirement.UNSEEN.minusHours(1));
        get(small, "/kept", 200, 1);
        get(small, "/new", 200, 5);
        small.flush();
        assertThat(small.endpoint("GET", "/new")).isEmpty();

        fleet.clock.advance(Duration.ofHours(1));
        small.flush();
        get(small, "/new", 200, 7);
        small.flush();

        assertThat(small.endpoint("GET", "/old")).isEmpty();
        assertThat(small.endpoint("GET", "/new").orElseThrow().requests()).isEqualTo(1);
        assertThat(small.endpoint("GET", "/kept").orElseThrow().requests()).isEqualTo(2);
        assertThat(small.endpoints(Window.MINUTE)).extracting(Line::name).containsExactly("GET /new");
        // What it counted is other's now, so that all endpoints together are the total.
        EndpointDetail other = small.endpoint("GET", "other").orElseThrow();
        assertThat(other)
                .extracting(EndpointDetail::requests, EndpointDetail::errors, EndpointDetail::avgMs)
                .containsExactly(2L, 1L, 7.5);
        assertThat(small.summary().requests().total()).isEqualTo(5);
        assertThat(target).key("it:traffic:{t}:requests:endpoint:GET /old").isMissing();
        assertThat(target).key("it:traffic:{t}:response_times:GET /old").isMissing();
    }

    @Test
    void anEndpointThatHadNoRoomIsCountedOnceAnotherGaveItsPlaceBack() {
        Traffic first = fleet.instance(TrafficOptions.of("web-3", fleet.clock).withEndpoints(1));
        Traffic second = fleet.instance(TrafficOptions.of("web-4", fleet.clock).withEndpoints(1));
        get(first, "/old", 200, 1);
        first.flush();
        get(second, "/new", 200, 1);
        second.flush();
        assertThat(second.endpoint("GET", "/new")).isEmpty();

        fleet.clock.advance(Retirement.UNSEEN);
        second.flush();
        get(second, "/new", 200, 1);
        second.flush();
        // Its process comes back to the old one, for which there is no room now.
        get(first, "/old", 200, 1);
        first.flush();

        assertThat(second.endpoint("GET", "/new").orElseThrow().requests()).isEqualTo(1);
        assertThat(second.endpoint("GET", "/old")).isEmpty();
        assertThat(second.endpoint("GET", "other").orElseThrow().requests()).isEqualTo(3);
    }
}
