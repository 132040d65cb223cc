package dev.hotstate.server.http.ops;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.util.List;
import java.util.Map;

/** {@code /health/live}: the process answers. {@code /health/ready}: it can be used, and how each part is. */
public final class HealthRoutes implements Routes {
    private final Health health;

    public HealthRoutes(Health health) {
        this.health = health;
    }

    @Override
    public String feature() {
        return "health";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get("/health/live", Access.PUBLIC, request -> Answer.ok(Map.of("status", "up"))),
                Route.get("/health/ready", Access.PUBLIC, this::ready));
    }

    private Answer ready(Request request) {
        var document = health.look();
        return document.isUsable()
                ? Answer.ok(document)
                : Answer.json(503, document).with("Retry-After", "2");
    }
}
