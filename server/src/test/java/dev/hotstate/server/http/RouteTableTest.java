package dev.hotstate.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RouteTableTest {
    private static final Route.Handler NONE = request -> Answer.noContent();

    @Test
    void aWordIsPreferredToAParameterAndAParameterToARest() {
        var table = table("/jobs/summary", "/jobs/{id}", "/jobs/{path*}", "/jobs/{id}/tasks/{task}");
        assertThat(found(table, "jobs", "summary")).isEqualTo("/jobs/summary []");
        assertThat(found(table, "jobs", "a")).isEqualTo("/jobs/{id} [a]");
        assertThat(found(table, "jobs", "a", "tasks", "b")).isEqualTo("/jobs/{id}/tasks/{task} [a, b]");
        assertThat(found(table, "jobs", "a", "b")).isEqualTo("/jobs/{path*} [a/b]");
    }

    @Test
    void aWordThatLeadsNowhereGivesWayToAParameter() {
        var table = table("/ping/{key}/start", "/ping/{key}/{code}", "/ping/start/now");
        assertThat(found(table, "ping", "k", "start")).isEqualTo("/ping/{key}/start [k]");
        assertThat(found(table, "ping", "start", "7")).isEqualTo("/ping/{key}/{code} [start, 7]");
    }

    @Test
    void aParameterMayHaveAnEnding() {
        var table = table("/badge/{id}.svg", "/badge/{id}");
        assertThat(found(table, "badge", "web.1.svg")).isEqualTo("/badge/{id}.svg [web.1]");
        assertThat(found(table, "badge", "web")).isEqualTo("/badge/{id} [web]");
        assertThat(found(table, "badge", ".svg")).isEqualTo("/badge/{id} [.svg]");
    }

    @Test
    void whatIsNotThereIsNotFound() {
        var table = table("/jobs/{id}");
        assertThat(table.match(List.of())).isEmpty();
        assertThat(table.match(List.of("jobs"))).isEmpty();
        assertThat(table.match(List.of("jobs", ""))).isEmpty();
        assertThat(table.match(List.of("jobs", "a", "b"))).isEmpty();
        assertThat(table.match(List.of("JOBS", "a"))).isEmpty();
    }

    @Test
    void twoRoutesForOneCallAreRefused() {
        assertThatThrownBy(() -> table("/jobs/{id}", "/jobs/{job}"))
                .hasMessage("GET /jobs/{job} is there twice (as /jobs/{id})");
    }

    @Test
    void aWordBesideAParameterMustBeReserved() {
        assertThatThrownBy(() -> table("/jobs/{id}", "/jobs/unheard-of"))
                .hasMessage("\"unheard-of\" must be a reserved word of Ids");
    }

    @Test
    void aMalformedTemplateIsRefused() {
        for (var path : List.of("jobs", "/jobs/", "/jobs//x", "/{a*}/b", "/jobs/{id", "/jobs/{ID!}")) {
            assertThatThrownBy(() -> Route.get(path, Access.VIEWER, NONE)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theWholeTableFitsOnOneScreen() {
        assertThat(table("/jobs", "/jobs/{id}").onOneScreen().lines())
                .containsExactly(
                        "GET    /jobs                                        viewer",
                        "GET    /jobs/{id}                                   viewer");
    }

    private static RouteTable table(String... paths) {
        var routes = new Route[paths.length];
        for (int i = 0; i < paths.length; i++) {
            routes[i] = Route.get(paths[i], Access.VIEWER, NONE);
        }
        return new RouteTable(List.of(TestServer.routes(routes)));
    }

    private static String found(RouteTable table, String... segments) {
        var match = table.match(List.of(segments)).orElseThrow();
        return match.route("HEAD").orElseThrow().path() + " " + match.values();
    }
}
