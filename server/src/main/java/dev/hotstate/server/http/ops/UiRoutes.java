package dev.hotstate.server.http.ops;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The dashboard's shell: files that say nothing of what the server holds, so they need no token. A path under
 * {@code /ui} that is no file is a page of the dashboard and answers {@code index.html}.
 */
public final class UiRoutes implements Routes {
    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);

    private final StaticFiles files;
    private final UiConfig config;
    private final StaticFile index;
    private final String contentSecurityPolicy;

    public UiRoutes(ClassLoader resources, UiConfig config) {
        this.files = new StaticFiles(resources);
        this.config = config;
        this.index = files.own("index.html")
                .orElseThrow(() -> new IllegalStateException("the dashboard's index.html is not on the class path"));
        this.contentSecurityPolicy = policyFor(new String(index.plain(), StandardCharsets.UTF_8), config.tiles());
    }

    @Override
    public String feature() {
        return "ui";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get("/", Access.PUBLIC, request -> Answer.redirect("/ui")),
                Route.get("/ui", Access.PUBLIC, this::page),
                Route.get("/ui/config.json", Access.PUBLIC, this::config),
                Route.get("/ui/lib/{path*}", Access.PUBLIC, this::library),
                Route.get("/ui/{path*}", Access.PUBLIC, this::fileOrPage));
    }

    private Answer page(Request request) {
        return index.answer(request).with("Content-Security-Policy", contentSecurityPolicy);
    }

    private Answer config(Request request) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("version", config.version());
        shown.put("features", config.features());
        shown.put("env", config.env());
        shown.put("instance", config.instance());
        shown.put("auth", config.tokensRequired() ? "token" : "none");
        shown.put("role", request.caller().map(caller -> caller.role().text()).orElse(null));
        shown.put("embedded", config.embedded());
        if (config.tiles() != null) {
            shown.put("tiles", config.tiles());
        }
        return Answer.ok(shown);
    }

    private Answer library(Request request) {
        return files.library(request.path("path"))
                .map(file -> file.answer(request))
                .orElseThrow(() -> Problem.notFound("There is no such file."));
    }

    private Answer fileOrPage(Request request) {
        var file = files.own(request.path("path"));
        if (file.isPresent() && file.get() != index) {
            return file.get().answer(request);
        }
        // A script or a style sheet that is not there must not turn into a page.
        if (!request.header("Sec-Fetch-Dest").orElse("document").equals("document")) {
            throw Problem.notFound("There is no such file.");
        }
        return page(request);
    }

    /** Nothing runs but our own files, and the one import map that stands in the page itself. */
    private static String policyFor(String page, UiConfig.@Nullable Tiles tiles) {
        var map = IMPORT_MAP.matcher(page);
        var hash = map.find() ? " 'sha256-" + sha256(map.group(1)) + "'" : "";
        return "default-src 'none'; script-src 'self'" + hash + "; style-src 'self'; img-src 'self' data:"
                + (tiles == null ? "" : " " + tiles.origin()) + ";"
                + " connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
