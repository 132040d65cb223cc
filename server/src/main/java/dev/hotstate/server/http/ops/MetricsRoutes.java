package dev.hotstate.server.http.ops;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;

/** {@code /metrics}, in Prometheus's text format. */
public final class MetricsRoutes implements Routes {
    private final PrometheusMeterRegistry registry;

    public MetricsRoutes(PrometheusMeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public String feature() {
        return "metrics";
    }

    @Override
    public List<Route> routes() {
        return List.of(Route.get(
                "/metrics", Access.VIEWER, request -> Answer.text("text/plain; version=0.0.4", registry.scrape())));
    }
}
