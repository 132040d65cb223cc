package dev.hotstate.server.monitors;

import dev.hotstate.monitors.Definition;
import dev.hotstate.monitors.Monitoring;
import dev.hotstate.monitors.Monitors.Watched;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What anybody may see: names, states and uptime, never targets, errors or headers. A monitor with the tag
 * {@value #PRIVATE} is kept out. All of it is remembered for some seconds, so that no crowd reaches Redis or PostgreSQL.
 */
final class PublicCalls {
    static final String PRIVATE = "private";

    private static final Duration LIVE = Duration.ofSeconds(5);
    private static final Duration BADGE = Duration.ofSeconds(1);
    private static final int MOST_BADGES = 1_000;
    private static final List<String> KINDS = List.of("state", "uptime");
    static final List<String> WINDOWS = List.of("24h", "7d", "30d", "90d");

    private final Monitoring monitoring;
    private final Remembered<StatusPage> page;
    private final Uptimes uptimes;
    private final Map<String, Remembered<Watched>> badges = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Remembered<Watched>> eldest) {
            return size() > MOST_BADGES;
        }
    };

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
        Definition definition = monitoring
                .definitions()
                .find(request.path("id"))
                .filter(PublicCalls::isPublic)
                .orElseThrow(() -> Problem.notFound("There is no such monitor."));
        Watched watched = watched(definition);
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

    private Watched watched(Definition definition) {
        Remembered<Watched> remembered;
        synchronized (badges) {
            remembered = badges.computeIfAbsent(
                    definition.id() + "@" + definition.version(),
                    version -> new Remembered<>(
                            BADGE,
                            () -> monitoring
                                    .monitors()
                                    .watched(List.of(definition))
                                    .getFirst()));
        }
        return remembered.get();
    }

    static boolean isPublic(Definition definition) {
        return !definition.monitor().tags().contains(PRIVATE);
    }
}
