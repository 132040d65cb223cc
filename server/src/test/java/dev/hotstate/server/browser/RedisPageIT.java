package dev.hotstate.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.TcpProxy;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What audits found, as people see it in a real browser: on the page of Redis, and as a page of its own. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisPageIT {
    private static final String STRAY = "dev:hotstate:{s0}:<script>window.owned=1</script>";

    @TempDir
    private Path folder;

    private final RedisServer redis;
    private final PostgresDatabase database;
    private RunningServer server;
    private Browser browser;

    RedisPageIT(RedisServer redis, PostgresDatabase database) {
        this.redis = redis;
        this.database = database;
    }

    @BeforeAll
    void start() {
        browser = new Browser();
        server = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_REDIS_TIMEOUT", "2s"));
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
        redis.commands().set(STRAY, "x");
    }

    @Test
    void anAuditIsAskedForAndItsFindingsMemorySlowLogAndClientsAreShown() {
        browser.open(server.url() + "/ui/redis");
        browser.await("[data-audit-now]").click();
        browser.awaitText("hs-table[label=findings] tr[data-key^=key-undeclared]", "key-undeclared");
        browser.await("hs-chart[label='Memory over time']");
        browser.await("hs-chart[label='Where memory is now']");
        browser.await("hs-table[label='slow commands']");
        browser.await("hs-table[label=clients] tr.row");
        browser.await("hs-table[label=commands] tr.row");

        browser.await("hs-table[label=findings] tr[data-key^=key-undeclared]").click();
        browser.awaitText(".finding-detail", "<script>window.owned=1</script>");
        browser.awaitText(".finding-detail", "What to do:");
        assertThat(browser.run("return window.owned === undefined")).isEqualTo(true);
        browser.assertNoErrors();
    }

    @Test
    void whereNothingWasSlowThatIsSaid() {
        redis.commands().configSet("slowlog-log-slower-than", "-1");
        try {
            redis.commands().slowlogReset();
            assertThat(server.post("/audit", "").statusCode()).isEqualTo(200);
            browser.open(server.url() + "/ui/redis");
            browser.awaitText("hs-table[label='slow commands']", "No slow command");
            browser.assertNoErrors();
        } finally {
            redis.commands().configSet("slowlog-log-slower-than", "10000");
        }
    }

    @Test
    void aReportOfAPartOfTheKeysSaysSo() throws SQLException {
        assertThat(server.post("/audit", "").statusCode()).isEqualTo(200);
        browser.open(server.url() + "/ui/redis");
        assertThat(browser.await("[data-audited]").getText()).doesNotContain("not all of them read");

        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("UPDATE audit_reports SET report = jsonb_set(report, '{complete}', 'false')");
        }
        browser.open(server.url() + "/ui/redis");
        browser.awaitText("[data-audited]", "not all of them read");
        browser.assertNoErrors();
    }

    @Test
    void anAuditMadeElsewhereAppearsByItself() {
        assertThat(server.post("/audit", "").statusCode()).isEqualTo(200);
        browser.open(server.url() + "/ui/redis");
        var first = browser.await("[data-audited]").getDomAttribute("data-audited");
        browser.await("[data-phase=live]");
        assertThat(server.post("/audit", "").statusCode()).isEqualTo(200);
        Eventually.until(
                "the new report is shown",
                () -> browser.shown("[data-audited]").stream()
                        .noneMatch(shown -> first.equals(shown.getDomAttribute("data-audited"))));
        browser.assertNoErrors();
    }

    @Test
    void whereRedisIsAwayFromTheFirstThePageDoesNotPretendToHaveCounted() {
        try (var proxy = TcpProxy.to(redis.port());
                var cutOff = RunningServer.on(
                        "redis://127.0.0.1:" + proxy.port(), database, Map.of("HOTSTATE_FEATURES", "limits"))) {
            Eventually.until("all is up", () -> cutOff.health().equals("up"));
            proxy.cut();
            browser.open(cutOff.url() + "/ui/redis");
            browser.awaitText("hs-banner", "Keys are not counted yet");
            assertThat(browser.await(".facts.big").getText()).contains("Keys\n–", "Undeclared keys\n–");
            browser.await("hs-table tr.row");
            browser.open("about:blank");
        }
    }

    @Test
    void withoutTheFeatureThePageShowsFamiliesAlone() {
        try (var without = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_FEATURES", "limits"))) {
            assertThat(without.get("/audit").statusCode()).isEqualTo(404);
            assertThat(without.post("/audit", "").statusCode()).isEqualTo(404);
            browser.open(without.url() + "/ui/redis");
            browser.await("hs-table tr.row");
            assertThat(browser.shown("hs-audit")).isEmpty();
            browser.assertNoErrors();
            browser.open("about:blank");
        }
    }

    @Test
    void aReportInHtmlIsAPageThatNeedsNothingElse() throws IOException {
        assertThat(server.post("/audit", "").statusCode()).isEqualTo(200);
        var file = folder.resolve("report.html");
        Files.writeString(file, ReportPage.of(server.get("/audit").body()));
        browser.open(file.toUri().toString());
        browser.awaitText("h1", "Redis audit of 127.0.0.1:" + redis.port());
        assertThat(browser.await("main").getText())
                .contains("key-undeclared", "<script>window.owned=1</script>", "Memory by family");
        assertThat(browser.shown("svg[role=img]")).hasSize(2);
        assertThat(browser.run("return document.scripts.length === 0 && window.owned === undefined"))
                .isEqualTo(true);
        assertThat(browser.run("return document.documentElement.scrollWidth <= innerWidth"))
                .isEqualTo(true);
        browser.assertNoErrors();
        browser.open("about:blank");
    }
}
