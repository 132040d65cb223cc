package dev.hotstate.server.http.ops;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Json;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.util.ArrayList;
import java.util.List;

/** {@code /openapi.json} for programs and {@code /docs} for people. */
public final class OpenApiRoutes implements Routes {
    private static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final byte[] json;
    private final String page;

    /** @param others all other routes of the server: each must be described, and nothing else may be */
    public OpenApiRoutes(List<? extends Routes> others, String version) {
        var all = new ArrayList<Routes>(others);
        all.add(this);
        ObjectNode document = OpenApi.of(all, version);
        this.json = Json.bytes(document);
        this.page = new DocsPage(document).html();
    }

    @Override
    public String feature() {
        return "openapi";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get("/openapi.json", Access.VIEWER, request -> Answer.of(200, "application/json", json)),
                Route.get(
                        "/docs",
                        Access.VIEWER,
                        request -> Answer.text("text/html", page)
                                .with("Content-Security-Policy", CONTENT_SECURITY_POLICY)));
    }
}
