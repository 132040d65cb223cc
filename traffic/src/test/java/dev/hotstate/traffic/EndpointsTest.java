package dev.hotstate.traffic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Routes are templates, and there are only so many of them. */
class EndpointsTest {
    private final Endpoints endpoints = new Endpoints(3);

    @Test
    void theSameMethodAndRouteAreOneEndpoint() {
        assertThat(endpoints.of("GET", "/a")).isSameAs(endpoints.of("GET", "/a"));
        assertThat(endpoints.of("POST", "/a")).isNotEqualTo(endpoints.of("GET", "/a"));
        assertThat(endpoints.of("GET", "/a").name()).isEqualTo("GET /a");
    }

    @Test
    void whatComesBeyondTheCapIsOther() {
        endpoints.of("GET", "/a");
        endpoints.of("PUT", "/a");
        Endpoint last = endpoints.of("GET", "/b");

        assertThat(endpoints.of("GET", "/c")).isSameAs(Endpoint.OTHER);
        assertThat(endpoints.of("POST", "/a")).isSameAs(Endpoint.OTHER);
        assertThat(endpoints.of("GET", "/b")).isSameAs(last);
    }

    @Test
    void anEndpointThatIsRefusedIsOtherUntilThereIsRoom() {
        Endpoint counted = endpoints.of("GET", "/a");

        endpoints.refuse(counted.segment());

        assertThat(endpoints.hasRefused()).isTrue();
        assertThat(endpoints.of("GET", "/a")).isSameAs(Endpoint.OTHER);
        assertThat(endpoints.current(counted, 1)).isSameAs(Endpoint.OTHER);
        endpoints.forgetRefused();
        assertThat(endpoints.hasRefused()).isFalse();
        assertThat(endpoints.of("GET", "/a").name()).isEqualTo("GET /a");
    }

    @Test
    void anEndpointThatNobodyAskedForGivesItsPlaceToAnother() {
        Endpoint old = endpoints.of("GET", "/a");
        Endpoint asked = endpoints.of("PUT", "/a");
        endpoints.of("GET", "/not-counted-yet");
        endpoints.current(old, 100);
        endpoints.current(asked, 101);
        assertThat(endpoints.of("GET", "/c")).isSameAs(Endpoint.OTHER);

        endpoints.forgetUnseenSince(100);

        Endpoint next = endpoints.of("GET", "/c");
        assertThat(next.id()).isEqualTo(old.id());
        assertThat(endpoints.of("PUT", "/a")).isSameAs(asked);
        assertThat(endpoints.of("GET", "/d")).isSameAs(Endpoint.OTHER);
        // Whoever looked it up just before counts, and nothing is counted for another endpoint.
        assertThat(endpoints.current(old, 102)).isSameAs(Endpoint.OTHER);
        assertThat(endpoints.current(next, 102)).isSameAs(next);
    }

    @Test
    void aMethodThatHttpDoesNotHaveIsOther() {
        assertThat(endpoints.of("BREW", "/pot").name()).isEqualTo("OTHER /pot");
        assertThat(endpoints.of("get", "/pot").name()).isEqualTo("GET /pot");
    }

    @Test
    void unmatchedIsAnEndpointAndOtherIsTheOther() {
        assertThat(endpoints.of("GET", "unmatched").name()).isEqualTo("GET unmatched");
        assertThat(endpoints.of("GET", "other")).isSameAs(Endpoint.OTHER);
        assertThat(Endpoints.name("GET", "other")).isEqualTo("other");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "users", "/line\nbreak", "/half\ud800", "OTHER"})
    void whatIsNoRouteIsRefused(String route) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoints.of("GET", route))
                .withMessageContaining("route must be 1 to 200 characters beginning with /");
    }

    @Test
    void aRouteHasAtMostTwoHundredCharacters() {
        endpoints.of("GET", "/" + "x".repeat(199));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> endpoints.of("GET", "/" + "x".repeat(200)))
                .withMessageContaining("…");
    }
}
