package dev.hotstate.server.http.ops;

import static dev.hotstate.server.http.TestServer.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.server.auth.SessionRoutes;
import dev.hotstate.server.auth.TokenRoutes;
import dev.hotstate.server.auth.Tokens;
import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Authenticator;
import dev.hotstate.server.http.HttpOptions;
import dev.hotstate.server.http.HttpServer;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import dev.hotstate.server.http.TestServer;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.Testkit;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.URL;
import java.net.URLClassLoader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(Testkit.class)
class OperationsIT {
    private static final String MAP = "\n{\"imports\":{\"lit\":\"/ui/lib/lit/index.js\"}}\n";

    @TempDir
    private static Path folder;

    private static volatile HealthReport redis = HealthReport.of(HealthStatus.UP, "It answers.");
    private static volatile HealthReport extra = HealthReport.of(HealthStatus.UP, "It answers.");
    private static Database database;
    private static TestServer server;
    private static URLClassLoader resources;

    @BeforeAll
    static void start(PostgresDatabase postgres) throws Exception {
        database = Database.open(DatabaseOptions.of(postgres.jdbcUrl()));
        var ui = Files.createDirectories(folder.resolve("dev/hotstate/server/ui/pages"));
        Files.writeString(
                ui.resolveSibling("index.html"), "<!doctype html><script type=\"importmap\">" + MAP + "</script>");
        Files.writeString(ui.resolveSibling("app.css"), "body { color: red }".repeat(100));
        Files.writeString(ui.resolve("home.js"), "export const home = 1;");
        Files.writeString(folder.resolve("secret.js"), "secret");
        resources = new URLClassLoader(new URL[] {folder.toUri().toURL()}, OperationsIT.class.getClassLoader()) {
            @Override
            public URL getResource(String name) {
                var own = findResource(name);
                return own == null ? super.getResource(name) : own;
            }
        };
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        var hooks = new HttpServer.Hooks(List.of(new RequestTimer(registry)), List.of(), List.of());
        server = new TestServer(
                HttpServer.start(HttpOptions.onLoopback(0), everything(registry), Authenticator.none(), hooks));
    }

    private static List<Routes> everything(PrometheusMeterRegistry registry) {
        var clock = InstantSource.system();
        var health = new Health(
                List.of(new HealthPart("redis", true, () -> redis), new HealthPart("extra", false, () -> extra)),
                clock);
        var config = new UiConfig("1.2.3", List.of("limits"), "dev", "test-1", false, true, null);
        var noEvents = new EventsInMemory();
        var tokens = Tokens.in(database, clock);
        var routes = new ArrayList<Routes>(List.of(
                new HealthRoutes(health),
                new MetricsRoutes(registry),
                new EventRoutes(noEvents, health, Set.of("system", "jobs"), 2),
                new UiRoutes(resources, config),
                new TokenRoutes(tokens, clock),
                new SessionRoutes(tokens, clock)));
        routes.add(new OpenApiRoutes(routes, "1.2.3"));
        return routes;
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        database.close();
        resources.close();
    }

    @Test
    void liveAnswersWhateverTheParts() {
        assertThat(server.get("/health/live").body()).isEqualTo("{\"status\":\"up\"}");
    }

    @ParameterizedTest
    @CsvSource({
        "UP, UP, 200, up",
        "UP, DEGRADED, 200, degraded",
        "UP, DOWN, 200, degraded",
        "REBUILDING, UP, 200, degraded",
        "DOWN, UP, 503, down",
        "DOWN, DOWN, 503, down",
    })
    void readySaysHowEachPartIs(HealthStatus essential, HealthStatus other, int code, String whole) {
        redis = HealthReport.of(essential, "So it is.")
                .withFigure("latency_ms", 1.5)
                .withExtra("mode", "standalone");
        extra = HealthReport.of(other, "So it is.");
        var answer = readyWith(essential.text(), other.text());
        assertThat(answer.statusCode()).isEqualTo(code);
        assertThat(tree(answer).path("status").asText()).isEqualTo(whole);
        assertThat(tree(answer).at("/parts/0/name").asText()).isEqualTo("redis");
        assertThat(tree(answer).at("/parts/0/detail").asText()).isEqualTo("So it is.");
        assertThat(tree(answer).at("/parts/0/since").asText()).endsWith("Z");
        assertThat(tree(answer).at("/parts/0/figures/latency_ms").asDouble()).isEqualTo(1.5);
        assertThat(tree(answer).at("/parts/0/mode").asText()).isEqualTo("standalone");
    }

    /** What was seen is kept for half a second, so the new state takes that long to show. */
    private static HttpResponse<String> readyWith(String essential, String other) {
        var deadline = Instant.now().plusSeconds(30);
        var answer = server.get("/health/ready");
        while (!tree(answer).at("/parts/0/status").asText().equals(essential)
                || !tree(answer).at("/parts/1/status").asText().equals(other)) {
            assertThat(Instant.now()).isBefore(deadline);
            answer = server.get("/health/ready");
        }
        return answer;
    }

    @Test
    void metricsCountRequestsByTemplate() {
        server.get("/ui/some/page");
        var text = server.get("/metrics");
        assertThat(text.headers().firstValue("Content-Type")).contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(text.body())
                .contains("http_server_requests_seconds_count{method=\"GET\",route=\"/ui/{path}\",status=\"200\"}");
    }

    @Test
    void everyRouteIsDescribedAndNothingElse() {
        var document = tree(server.get("/openapi.json"));
        assertThat(document.path("openapi").asText()).isEqualTo("3.1.0");
        assertThat(document.at("/info/version").asText()).isEqualTo("1.2.3");
        assertThat(document.at("/paths/~1tokens~1{id}/delete/x-access").asText())
                .isEqualTo("admin");
        assertThat(document.at("/paths/~1tokens~1{id}/delete/parameters/0/name").asText())
                .isEqualTo("id");
        assertThat(document.at("/paths/~1events/get/responses/default/$ref").asText())
                .isEqualTo("#/components/responses/Problem");
    }

    @Test
    void aRouteThatIsNotDescribedIsRefused() {
        var undescribed = new Routes() {
            @Override
            public String feature() {
                return "metrics";
            }

            @Override
            public List<Route> routes() {
                return List.of(Route.get("/elsewhere", Access.VIEWER, request -> Answer.noContent()));
            }
        };
        assertThatThrownBy(() -> OpenApi.of(List.of(undescribed), "1"))
                .hasMessageContaining("[GET /elsewhere]")
                .hasMessageContaining("[GET /metrics]");
    }

    @Test
    void theDocsAreAPageWithoutScript() {
        var page = server.get("/docs");
        assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(page.headers().firstValue("Content-Security-Policy"))
                .hasValueSatisfying(policy -> assertThat(policy).doesNotContain("script-src"));
        assertThat(page.body())
                .contains("<h3><code>DELETE /tokens/{id}</code></h3>")
                .contains("/ui/theme.css")
                .doesNotContain("<script");
    }

    @Test
    void theRootLeadsToTheDashboard() {
        var answer = server.get("/");
        assertThat(answer.statusCode()).isEqualTo(302);
        assertThat(answer.headers().firstValue("Location")).contains("/ui");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ui", "/ui/", "/ui/monitors", "/ui/monitors/web-1.example", "/ui/index.html"})
    void aPageOfTheDashboardIsItsIndex(String path) throws Exception {
        var answer = server.get(path);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
        assertThat(answer.body()).contains("importmap");
        var hash = MessageDigest.getInstance("SHA-256").digest(MAP.getBytes(StandardCharsets.UTF_8));
        assertThat(answer.headers().firstValue("Content-Security-Policy"))
                .contains("default-src 'none'; script-src 'self' 'sha256-"
                        + Base64.getEncoder().encodeToString(hash)
                        + "'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self';"
                        + " base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
    }

    @Test
    void filesHaveTheirTypesAndAreAskedForOnce() {
        var css = server.get("/ui/app.css");
        assertThat(css.headers().firstValue("Content-Type")).contains("text/css; charset=utf-8");
        assertThat(css.headers().firstValue("Cache-Control")).contains("no-cache");
        var tag = css.headers().firstValue("ETag").orElseThrow();
        var again = server.get("/ui/app.css", "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        assertThat(server.get("/ui/app.css?v=1").headers().firstValue("Cache-Control"))
                .contains("public, max-age=31536000, immutable");
        assertThat(server.get("/ui/pages/home.js").headers().firstValue("Content-Type"))
                .contains("text/javascript; charset=utf-8");
        assertThat(server.get("/ui/app.css", "Accept-Encoding", "gzip")
                        .headers()
                        .firstValue("Content-Encoding"))
                .contains("gzip");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui/lib/lit/index.js",
                "/ui/lib/lit/directives/repeat.js",
                "/ui/lib/lit-html/lit-html.js",
                "/ui/lib/lit-element/index.js",
                "/ui/lib/reactive-element/reactive-element.js",
                "/ui/lib/echarts/dist/echarts.esm.min.js",
            })
    void librariesComeFromTheirJars(String path) {
        var answer = server.get(path);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/javascript; charset=utf-8");
        assertThat(answer.body()).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui/lib/zrender/index.js",
                "/ui/lib/lit",
                "/ui/lib/lit/",
                "/ui/lib/",
                "/ui/lib/lit/nothing.js",
                "/ui/lib/lit/LICENSE",
                "/ui/lib/lit//index.js",
                "/ui/lib/lit/%2e%2e/secret.js",
                "/ui/lib/lit/..%2f..%2fsecret.js",
                "/ui/lib/lit%2findex.js%00",
                "/ui/lib/lit/directives",
            })
    void whatIsNoFileOfALibraryIsNotThere(String path) {
        var answer = server.rawGet(path, "localhost:" + server.port());
        assertThat(answer).startsWith("HTTP/1.1 40").contains("application/problem+json");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ui/../../../secret.js",
                "/ui/%2e%2e/%2e%2e/%2e%2e/%2e%2e/secret.js",
                "/ui/..%2f..%2f..%2f..%2fsecret.js",
                "/ui/..%5c..%5csecret.js",
                "/ui//secret.js",
                "/ui/%2fetc%2fpasswd",
                "/ui/%c0%ae%c0%ae/secret.js",
                "/ui/file:///etc/passwd",
            })
    void noPathLeadsOutOfTheDashboard(String path) {
        var answer = server.rawGet(path, "localhost:" + server.port());
        assertThat(answer)
                .doesNotContain("secret\n")
                .doesNotContain("root:")
                .satisfiesAnyOf(
                        text -> assertThat(text).startsWith("HTTP/1.1 400 "),
                        text -> assertThat(text).contains("importmap"));
    }

    @Test
    void aMissingScriptIsNotAnsweredWithAPage() {
        assertThat(server.get("/ui/missing.js", "Sec-Fetch-Dest", "script").statusCode())
                .isEqualTo(404);
    }

    @Test
    void theDashboardIsToldWhatItMustKnow() {
        assertThat(server.get("/ui/config.json").body())
                .isEqualTo("{\"version\":\"1.2.3\",\"features\":[\"limits\"],\"env\":\"dev\",\"instance\":\"test-1\","
                        + "\"auth\":\"none\",\"role\":\"admin\",\"embedded\":true}");
    }
}
