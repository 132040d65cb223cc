package dev.hotstate.server.http.ops;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Json;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code /openapi.json} for programs and {@code /docs} for people. */
public final class OpenApiRoutes implements Routes {
    private static final String CONTENT_SECURITY_POLICY =
            "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

    private final List<Routes> all;
    private final String version;
    private @Nullable Texts texts;

    private record Texts(byte[] json, String page) {}

    /** @param others all other routes of the server: each must be described, and nothing else may be */
    public OpenApiRoutes(List<? extends Routes> others, String version) {
        this.all = new ArrayList<>(others);
        this.all.add(this);
        this.version = version;
    }

    @Override
    public String feature() {
        return "openapi";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get(
                        "/openapi.json", Access.VIEWER, request -> Answer.of(200, "application/json", texts().json())),
                Route.get(
                        "/docs",
                        Access.VIEWER,
                        request -> Answer.text("text/html", texts().page())
                                .with("Content-Security-Policy", CONTENT_SECURITY_POLICY)));
    }

    /** Made for whoever asks first: a server that starts has better to do. */
    private synchronized Texts texts() {
        if (texts == null) {
            ObjectNode document = OpenApi.of(all, version);
            texts = new Texts(Json.bytes(document), new DocsPage(document).html());
        }
        return texts;
    }
}
