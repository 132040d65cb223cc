package dev.hotstate.server.monitors;

import dev.hotstate.monitors.Definition;
import dev.hotstate.monitors.Monitoring;
import dev.hotstate.monitors.Monitors.Watched;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * What anybody may see: names, states and uptime, never targets, errors or headers. A monitor with the tag
 * {@value #PRIVATE} is kept out. All of it is remembered for some seconds, so that no crowd reaches Redis or PostgreSQL.
 */
final class PublicCalls {
    static final String PRIVATE = "private";

    private static final Duration LIVE = Duration.ofSeconds(5);
    private static final List<String> KINDS = List.of("state", "uptime");
    static final List<String> WINDOWS = List.of("24h", "7d", "30d", "90d");

    private final Monitoring monitoring;
    private final Remembered<StatusPage> page;
    private final Uptimes uptimes;

    PublicCalls(Monitoring monitoring, InstantSource clock) {
        this.monitoring = monitoring;
        var maker = new StatusPageMaker(monitoring, clock);
        this.page = new Remembered<>(LIVE, maker::make);
        this.uptimes = new Uptimes(monitoring.history());
    }

    Answer statusPage(Request request) {
        return Answer.ok(page.get()).with("Cache-Control", "public, max-age=5");
    }

    Answer badge(Request request) {
        String kind = request.queryChoice("kind", KINDS).orElse("state");
        String window = request.queryChoice("window", WINDOWS).orElse("30d");
        Watched watched = monitoring
                .definitions()
                .find(request.path("id"))
                .filter(PublicCalls::isPublic)
                .flatMap(definition -> monitoring.monitors().find(definition.id()))
                .orElseThrow(() -> Problem.notFound("There is no such monitor."));
        String name = watched.definition().monitor().name();
        Badge badge = kind.equals("state")
                ? Badge.of(name, watched.live().state())
                : Badge.of(
                        name,
                        window,
                        uptimes.of(watched.definition().historyName()).get(window));
        return Answer.text("image/svg+xml", badge.svg())
                .with("Cache-Control", "public, max-age=30")
                // It is made to be shown on others' pages.
                .with("Cross-Origin-Resource-Policy", "cross-origin");
    }

    static boolean isPublic(Definition definition) {
        return !definition.monitor().tags().contains(PRIVATE);
    }
}
