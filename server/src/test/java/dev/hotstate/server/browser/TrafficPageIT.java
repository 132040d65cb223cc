package dev.hotstate.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The traffic page in a real browser, on traffic that was really reported. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TrafficPageIT {
    private static final String USERS = "tr.row[data-key='GET /users/{id}']";

    private Browser browser;
    private RedisServer redis;
    private RunningServer server;

    @BeforeAll
    void startBrowser() {
        browser = new Browser();
    }

    @AfterAll
    void stopBrowser() {
        browser.close();
    }

    @BeforeEach
    void start(PostgresServer postgres) {
        redis = RedisServer.start();
        server = RunningServer.on(redis.uri(), postgres.freshDatabase(), Map.of("HOTSTATE_REDIS_TIMEOUT", "2s"));
        Eventually.until("all is up", () -> server.health().equals("up"));
        browser.forget();
    }

    @AfterEach
    void stop() {
        browser.open("about:blank");
        server.close();
        redis.close();
    }

    @Test
    void whatComesInIsShownWithoutAReload() {
        report("web-1", 20, "GET", "/users/{id}", 200, 12);
        browser.open(server.url() + "/ui/traffic");
        browser.await(USERS);
        assertThat(browser.await("nav a[aria-current=page]").getText()).isEqualTo("Traffic");
        browser.awaitText("tr.row[data-key='web-1']", "20");

        report("web-2", 5, "GET", "/users/{id}", 404, 30);
        browser.awaitText(USERS, "25");
        browser.awaitText("tr.row[data-key='web-2']", "5");
        browser.awaitText("[data-status='404']", "Not found");
        browser.awaitText("[data-fact=errors]", "5");
        browser.run("document.querySelector('hs-chart[label^=\"Requests by hour\"]').scrollIntoView()");
        Eventually.until("every chart is drawn", () -> Long.valueOf(3).equals(browser.run("""
                        return [...document.querySelectorAll('hs-chart')]
                            .filter((chart) => chart.shadowRoot.querySelector('canvas')).length""")));
        browser.assertNoErrors();
    }

    @Test
    void theSlowestAndTheMostFailingEndpointsComeFirst() {
        // More than the dashboard itself asks for.
        report("web-1", 3000, "GET", "/busy", 200, 1);
        report("web-1", 2000, "GET", "/failing", 500, 2);
        report("web-1", 10, "GET", "/slow", 200, 90_000);
        browser.open(server.url() + "/ui/traffic");
        awaitFirst("GET /busy");
        choose("order", "slowest");
        awaitFirst("GET /slow");
        choose("order", "failing");
        awaitFirst("GET /failing");
        browser.assertNoErrors();
    }

    @Test
    void anEndpointOpensWithItsWindowsAndLastRequests() {
        report("web-1", 7, "GET", "/users/{id}", 200, 12);
        browser.open(server.url() + "/ui/traffic");
        browser.await(USERS).click();
        var detail = "[data-endpoint='GET /users/{id}']";
        browser.awaitText(detail, "7 requests since ever");
        browser.awaitText(detail, "Last 24 hours");
        browser.awaitText(detail, "Last 7 requests");
        browser.assertNoErrors();
    }

    @Test
    void theWindowIsChosenByKeyboard() {
        report("web-1", 7, "GET", "/users/{id}", 200, 12);
        browser.open(server.url() + "/ui/traffic");
        browser.await(USERS);
        browser.run("document.querySelector('[data-choice=window] input:checked').focus()");
        browser.press(Keys.ARROW_RIGHT);
        Eventually.until("24 hours are chosen", () -> "24h".equals(browser.run("""
                return document.querySelector('[data-choice=window] input:checked').value""")));
        browser.await(USERS);

        browser.run("document.querySelector('tr.row').focus()");
        browser.press(Keys.ENTER);
        browser.await("[data-endpoint]");
        browser.assertNoErrors();
    }

    @Test
    void whileRedisIsAwayTheLastFiguresStay() {
        report("web-1", 7, "GET", "/users/{id}", 200, 12);
        browser.open(server.url() + "/ui/traffic");
        browser.await(USERS);

        redis.kill();
        browser.awaitText("hs-error", "Service unavailable");
        assertThat(browser.shown(USERS)).hasSize(1);

        redis.restart();
        Eventually.until("the notice is gone", () -> browser.shown("hs-error").isEmpty());
        browser.assertNoErrors(".*/(traffic.*|health/ready) - Failed to load resource: .* 503 .*");
    }

    @Test
    void aServerWithoutTheFeatureHasNoSuchPage(PostgresServer postgres) {
        try (var without =
                RunningServer.on(redis.uri(), postgres.freshDatabase(), Map.of("HOTSTATE_FEATURES", "audit"))) {
            browser.open(without.url() + "/ui/traffic");
            browser.awaitText("h1", "No such page");
            browser.open("about:blank");
        }
    }

    private void choose(String name, String value) {
        WebElement choice = browser.await("[data-choice=" + name + "] label:has([value='" + value + "'])");
        choice.click();
    }

    private void awaitFirst(String endpoint) {
        Eventually.until(endpoint + " is first", () -> endpoint.equals(browser.run("""
                return document.querySelector('hs-table[label=endpoints] tr.row')?.dataset.key""")));
    }

    private void report(String instance, int requests, String method, String route, int status, int ms) {
        var item = "{\"method\":\"%s\",\"route\":\"%s\",\"status\":%d,\"ms\":%d}".formatted(method, route, status, ms);
        var items = String.join(",", Collections.nCopies(requests, item));
        var answer =
                server.post("/traffic/requests", "{\"instance\":\"%s\",\"items\":[%s]}".formatted(instance, items));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
}
