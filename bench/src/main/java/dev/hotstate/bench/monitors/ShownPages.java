package dev.hotstate.bench.monitors;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.bench.drill.Percentiles;
import dev.hotstate.bench.drill.Report;
import dev.hotstate.bench.drill.ServerProcess;
import dev.hotstate.bench.drill.Waiting;
import dev.hotstate.monitors.Monitors;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Monitors that are watched meanwhile: page after page of them with their live state, their summary, and a cold start. */
public final class ShownPages {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int INTERVAL = 60;
    private static final int PAGE = 100;

    private final Report report;
    private final int monitors;
    private final int calls;

    public ShownPages(Report report, int monitors, int calls) {
        this.report = report;
        this.monitors = monitors;
        this.calls = calls;
    }

    public void measure() {
        try (Site site = new Site();
                Responder target = new Responder(monitors)) {
            try (ServerProcess server = site.serve(Site.AS_LAUNCHED);
                    Api api = new Api(server.url())) {
                Definitions.apply(api, monitors, monitor -> Definitions.http(monitor, target.url(monitor), INTERVAL));
                awaitScheduled(site);
                overHttp(api);
                throughTheDoor(site);
                site.redis.flushAll();
                tell("Redis flushed", "all_scheduled_after", "s", awaitScheduled(site));
            }
            site.redis.flushAll();
            long begin = System.nanoTime();
            ServerProcess second = site.serve(Site.AS_LAUNCHED);
            try {
                tell("server started on an empty Redis", "ready_after", "s", (System.nanoTime() - begin) / 1e9);
                awaitScheduled(site);
                tell("server started on an empty Redis", "all_scheduled_after", "s", (System.nanoTime() - begin) / 1e9);
            } finally {
                second.close();
            }
        }
    }

    private double awaitScheduled(Site site) {
        return Waiting.require("all are scheduled", PATIENCE, () -> site.scheduled() == monitors)
                        .toNanos()
                / 1e9;
    }

    private void overHttp(Api api) {
        time("page of 100 over HTTP", cursor -> {
            JsonNode page = api.json("/monitors?limit=" + PAGE + (cursor == null ? "" : "&cursor=" + cursor));
            return page.path("next_cursor").asText(null);
        });
        time("page of 100 over HTTP, worst first", cursor -> {
            JsonNode page =
                    api.json("/monitors?sort=state&limit=" + PAGE + (cursor == null ? "" : "&cursor=" + cursor));
            return page.path("next_cursor").asText(null);
        });
        time("summary over HTTP", cursor -> {
            api.get("/monitors/summary");
            return null;
        });
    }

    private void throughTheDoor(Site site) {
        try (Instance instance = new Instance(site)) {
            Monitors door = instance.monitors();
            time(
                    "page of 100 by Monitors.list",
                    cursor -> door.list(new Monitors.Query(null, null, null, Monitors.Sort.NAME, cursor, PAGE))
                            .next());
            time("Monitors.summary", cursor -> {
                Objects.requireNonNull(door.summary());
                return null;
            });
        }
    }

    @FunctionalInterface
    private interface Paging {
        /** @return where the next page begins; null after the last */
        @Nullable
        String show(@Nullable String cursor);
    }

    /** Call after call, after as many in which code is compiled and a call may fail. */
    private void time(String what, Paging paging) {
        double[] millis = new double[calls];
        for (int i = 0; i < calls; i++) {
            Waiting.until(Duration.ofSeconds(5), () -> {
                paging.show(null);
                return true;
            });
        }
        String cursor = null;
        for (int i = 0; i < calls; i++) {
            long begin = System.nanoTime();
            cursor = paging.show(cursor);
            millis[i] = (System.nanoTime() - begin) / 1e6;
        }
        Percentiles times = new Percentiles(millis);
        tell(what, "p50", "ms", times.at(0.5));
        tell(what, "p99", "ms", times.at(0.99));
    }

    private void tell(String what, String metric, String unit, double value) {
        report.measured(monitors + " monitors, " + what, metric, unit, value);
    }
}
