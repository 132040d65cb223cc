package dev.hotstate.server.browser;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** The page of drivers as people use it, in a real browser. Each test has a part of the world to itself. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DriversPageIT {
    private static final String HOSTILE = "<img src=x onerror=document.title='hacked'>";

    private final RedisServer redis;
    private final PostgresDatabase database;
    private RunningServer server;
    private Browser browser;

    DriversPageIT(RedisServer redis, PostgresDatabase database) {
        this.redis = redis;
        this.database = database;
    }

    @BeforeAll
    void start() {
        browser = new Browser();
        // Thousands of fixes are many for a Redis that shares its machine with a browser and other tests.
        server = RunningServer.on(
                redis.uri(), database, Map.of("HOTSTATE_REDIS_TIMEOUT", "5s", "HOTSTATE_REDIS_DEADLINE", "15s"));
        Eventually.until("all is up", () -> server.health().equals("up"));
    }

    @AfterAll
    void stop() {
        browser.close();
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void forget() {
        browser.forget();
    }

    @AfterEach
    void leave() {
        browser.open("about:blank");
    }

    @Test
    void thousandsAreOnTheMapTogetherAndOneByOneFromNear() {
        var items = IntStream.range(0, 3_000)
                .mapToObj(i -> "{\"id\":\"crowd-%d\",\"lat\":%f,\"lon\":%f}"
                        .formatted(i, 10 + i / 60 * 0.001, 20 + i % 60 * 0.001))
                .collect(Collectors.joining(","));
        assertThat(server.post("/drivers/locations", "{\"items\":[" + items + "]}")
                        .statusCode())
                .isEqualTo(200);
        browser.open(server.url() + "/ui/drivers?at=10.025,20.03,13");
        Eventually.until("all are on the map, together", () -> shows("drivers") == 3_000 && shows("marks") < 2_000);
        browser.await("[data-figure=available]");
        browser.await("driver-map canvas").sendKeys("+", "+", "+", "+");
        Eventually.until("a few are left, each by itself", () -> {
            long marks = shows("marks");
            return marks > 0 && marks < 1_000 && marks == shows("drivers");
        });
        browser.await("driver-map canvas").sendKeys(Keys.ARROW_LEFT, "-", "0");
        browser.assertNoErrors();
    }

    @Test
    void aClickOnTheGroundSearchesAndTheNearestIsReservedAndConfirmed() {
        locate("near", 30.001, 30.001);
        locate("next", 30.002, 30.002);
        browser.open(server.url() + "/ui/drivers?at=29.99,30.0,14");
        Eventually.until("both are on the map", () -> shows("drivers") == 2);
        browser.await("driver-map canvas").click();
        browser.await("[data-found='2']");
        browser.await(".driver-found li:first-child [data-driver=near]");
        browser.await("button[name=reserve]:not([disabled])").click();
        browser.await("[data-reserved=near]");
        browser.await("[data-found='1']");
        browser.await("button[name=confirm]").click();
        Eventually.until("it is busy", () -> status("near").equals("BUSY"));
        browser.awaitText("driver-search [data-ended]", "near is busy now");

        browser.await(".driver-found [data-driver=next]").click();
        browser.await(".driver-panel[data-driver=next][data-status=AVAILABLE]");
        browser.await("button[name=OFFLINE]:not([disabled])").click();
        browser.await(".driver-panel[data-driver=next][data-status=OFFLINE]");
        browser.await("button[name=edit]").click();
        browser.await("#driver-name").sendKeys(HOSTILE);
        browser.await("#driver-rating").sendKeys("7");
        browser.await("driver-panel button[type=submit]").click();
        browser.awaitText("[data-field=rating] .objection", "from 0 to 5");
        browser.await("#driver-rating").sendKeys(Keys.BACK_SPACE, "4");
        browser.await("driver-panel button[type=submit]").click();
        browser.awaitText(".driver-panel .facts", HOSTILE);
        assertThat(browser.run("return document.title")).isEqualTo("Drivers · hotstate");
        browser.assertNoErrors(".*status of 400.*");
    }

    @Test
    void driversAreListedAndFollowed() {
        locate("listed", -20, -20);
        browser.open(server.url() + "/ui/drivers?view=list");
        browser.await("hs-table input[type=search]").sendKeys("listed");
        browser.await("tr[data-key=listed] hs-pill[data-status=AVAILABLE]");
        assertThat(server.call(
                                "PUT",
                                "/drivers/listed/status",
                                "{\"status\":\"BUSY\"}",
                                "Content-Type",
                                "application/json")
                        .statusCode())
                .isEqualTo(200);
        browser.await("tr[data-key=listed] hs-pill[data-status=BUSY]");
        browser.await("button[data-filter=OFFLINE]").click();
        Eventually.until(
                "it is not offline", () -> browser.shown("tr[data-key=listed]").isEmpty());
        assertThat(browser.run("return location.search")).isEqualTo("?view=list&status=OFFLINE");
        browser.assertNoErrors();
    }

    @Test
    void aRegionIsWrittenSeenAndDeleted() {
        browser.open(server.url() + "/ui/drivers?view=regions");
        browser.await("tr[data-key=default]");
        browser.await("#region-id").sendKeys("x");
        browser.await("#region-shape").sendKeys("{\"box\":{\"south\":60,\"west\":60,\"north\":61,\"east\":61}}");
        browser.await("region-list button[type=submit]").click();
        browser.awaitText("region-list hs-error", "id");
        browser.await("#region-id").sendKeys("yz");
        browser.await("region-list button[type=submit]").click();
        browser.await("tr[data-key=xyz]");
        browser.await("button[aria-label='Delete xyz']").click();
        Eventually.until(
                "it is asked whether",
                () -> Boolean.TRUE.equals(
                        browser.run(
                                "return document.querySelector('hs-confirm')?.shadowRoot?.querySelector('button.yes') != null")));
        browser.run("document.querySelector('hs-confirm').shadowRoot.querySelector('button.yes').click()");
        Eventually.until("it is gone", () -> browser.shown("tr[data-key=xyz]").isEmpty());
        browser.assertNoErrors(".*status of 400.*");
    }

    @Test
    void withoutTilesTheMapHasItsLinesItsScaleAndTheShapesOfRegions() {
        locate("moored", -61, 61);
        var put = server.call(
                "PUT",
                "/regions/harbour",
                "{\"box\":{\"south\":-60.1,\"west\":60,\"north\":-60,\"east\":60.1}}",
                "Content-Type",
                "application/json");
        assertThat(put.statusCode()).as(put.body()).isEqualTo(201);
        browser.open(server.url() + "/ui/drivers?at=-60.05,60.05,11");
        Eventually.until("the region is on the map", () -> painted("regions").contains("harbour"));
        assertThat(Integer.parseInt(painted("lines"))).isPositive();
        assertThat(painted("scale")).matches("\\d+ k?m");
        browser.assertNoErrors();
        assertThat(server.call("DELETE", "/regions/harbour", "").statusCode()).isEqualTo(204);
    }

    private String painted(String what) {
        return String.valueOf(browser.run("return document.querySelector('driver-map canvas')?.dataset." + what));
    }

    @Test
    void tilesLieBelowTheMapWhereTheyAreConfigured() throws IOException {
        locate("mapped", 0, 0);
        Set<String> asked = ConcurrentHashMap.newKeySet();
        var tiles = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        tiles.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            exchange.getResponseHeaders().add("Access-Control-Allow-Origin", "*");
            exchange.getResponseHeaders().add("Content-Type", "image/svg+xml");
            var image = "<svg xmlns='http://www.w3.org/2000/svg' width='256' height='256'/>".getBytes(UTF_8);
            exchange.sendResponseHeaders(200, image.length);
            exchange.getResponseBody().write(image);
            exchange.close();
        });
        tiles.start();
        var settings = Map.of(
                "HOTSTATE_DRIVERS_TILES_URL",
                "http://127.0.0.1:" + tiles.getAddress().getPort() + "/{z}/{x}/{y}.svg",
                "HOTSTATE_DRIVERS_TILES_ATTRIBUTION",
                "© Somebody");
        try (var mapped = RunningServer.on(redis.uri(), database, settings)) {
            browser.open(mapped.url() + "/ui/drivers?at=0,0,2");
            browser.awaitText(".driver-map-thanks", "© Somebody");
            Eventually.until("tiles are asked for", () -> asked.contains("/2/2/1.svg"));
            browser.assertNoErrors();
            browser.open("about:blank");
        } finally {
            tiles.stop(0);
        }
    }

    /** A figure of the map's, or -1 before there is one. */
    private long shows(String figure) {
        var text = browser.run("return document.querySelector('.driver-map')?.dataset." + figure + " ?? '-1'");
        return Long.parseLong(String.valueOf(text));
    }

    private void locate(String id, double lat, double lon) {
        var answer = server.call(
                "PATCH",
                "/drivers/" + id + "/location",
                "{\"lat\":" + lat + ",\"lon\":" + lon + "}",
                "Content-Type",
                "application/json");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private String status(String id) {
        return server.json("/drivers/" + id).path("status").asText();
    }
}
