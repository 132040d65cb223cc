package dev.hotstate.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.server.auth.Creation;
import dev.hotstate.server.auth.NewToken;
import dev.hotstate.server.auth.Tokens;
import dev.hotstate.server.http.Role;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.InstantSource;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;

/** The dashboard as people see it, in a real browser on a real server. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardIT {
    private final PostgresDatabase database;
    private Browser browser;
    private RedisServer redis;
    private RunningServer server;

    DashboardIT(PostgresDatabase database) {
        this.database = database;
    }

    @BeforeAll
    void start() {
        browser = new Browser();
        redis = RedisServer.start();
        server = RunningServer.on(redis.uri(), database);
    }

    @AfterAll
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
        if (redis != null) {
            redis.close();
        }
    }

    @BeforeEach
    void forget() {
        browser.forget();
    }

    @Test
    void theOverviewFollowsRedisDownAndUpWithoutAReload() {
        browser.open(server.url() + "/ui");
        browser.await("h1[data-status=up]");
        browser.await("[data-phase=live]");
        browser.run("window.loadedOnce = true");

        redis.kill();
        browser.await("h1[data-status=down]");
        browser.await("[data-part=redis][state=down]");
        assertThat(browser.shown("[data-part=postgres][state=up]")).hasSize(1);

        redis.restart();
        browser.await("h1[data-status=up]");
        browser.await("[data-part=redis][state=up]");
        // By way of degraded, where the looks at it fall so.
        Eventually.until("its way down and up is told", () -> told("Redis: .* → down") && told("Redis: .* → up"));
        assertThat(browser.run("return window.loadedOnce")).isEqualTo(true);
        browser.assertNoErrors(".*/health/ready - Failed to load resource: .* 503 .*");
    }

    @Test
    void aServerThatGoesAwayAndComesBackIsShownAndFoundAgain() {
        int port;
        try (var first = RunningServer.on(redis.uri(), database)) {
            port = first.port();
            browser.open(first.url() + "/ui");
            browser.await("[data-phase=live]");
            browser.await("h1[data-status=up]");
        }
        browser.await("[data-phase=waiting], [data-phase=offline]");
        browser.await("h1[data-status=unknown]");

        try (var second = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_PORT", String.valueOf(port)))) {
            assertThat(second.port()).isEqualTo(port);
            browser.await("[data-phase=live]");
            browser.await("h1[data-status=up]");
            browser.assertNoErrors(".*/(events\\?topics=system|health/ready) - Failed to load resource: net::ERR_.*");
            browser.open("about:blank");
        }
    }

    @Test
    void theRedisPageListsTheDeclaredFamiliesWithTheirCounts() {
        Eventually.until("all is up", () -> server.health().equals("up"));
        browser.open(server.url() + "/ui/redis");
        browser.await("tr.row[data-key]");

        var families = server.json("/keyspace").get("families");
        assertThat(browser.shown("tr.row[data-key]")).hasSize(families.size());
        families.forEach(family -> {
            var row = browser.await("tr.row[data-key='" + family.get("pattern").asText() + "']");
            assertThat(row.getText()).contains(family.get("name").asText()).matches("(?s).*\\d.*");
        });
        assertThat(browser.await("nav a[aria-current=page]").getText()).isEqualTo("Redis keys");
        browser.assertNoErrors();
    }

    @Test
    void everythingCanBeReachedByKeyboard() {
        browser.open(server.url() + "/ui");
        browser.await("h1[data-status]");
        browser.press(Keys.TAB);
        assertThat(browser.focused().getText()).isEqualTo("Skip to content");
        browser.press(Keys.ENTER);
        Eventually.until(
                "the content has the focus",
                () -> "main".equals(browser.focused().getDomAttribute("id")));

        browser.run("document.querySelector('nav a[href=\"/ui\"]').focus()");
        browser.press(Keys.TAB);
        assertThat(browser.focused().getText()).isEqualTo("Redis keys");
        browser.press(Keys.ENTER);
        browser.await("tr.row[data-key]");
        Eventually.until(
                "the new page's heading has the focus",
                () -> browser.focused().getTagName().equals("h1"));
        browser.assertNoErrors();
    }

    @Test
    void theThemeIsChosenAndKept() {
        browser.open(server.url() + "/ui");
        browser.await("[data-theme-choice=system]").click();
        browser.await("[data-theme-choice=light]");
        var light = ground();
        browser.await("[data-theme-choice=light]").click();
        browser.await("[data-theme-choice=dark]");
        assertThat(ground()).isNotEqualTo(light);

        browser.reload();
        browser.await("[data-theme-choice=dark]").click();
        browser.await("[data-theme-choice=system]");
        browser.assertNoErrors();
    }

    @Test
    void anAddressThatIsNoPageSaysSo() {
        browser.open(server.url() + "/ui/nowhere");
        browser.awaitText("h1", "No such page");
        browser.assertNoErrors();
    }

    @Test
    void theApiReferenceIsReadable() {
        browser.open(server.url() + "/docs");
        browser.await("article");
        assertThat(browser.run("return document.querySelector('main').getBoundingClientRect().width < innerWidth"))
                .isEqualTo(true);
        browser.assertNoErrors();
    }

    @Test
    void whereTokensAreNeededABadOneIsRefusedAndAGoodOneLetsIn() {
        try (var guarded = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_AUTH_TOKENS", "required"))) {
            browser.open(guarded.url() + "/ui");
            browser.await("input[name=token]").sendKeys("hs_wrong", Keys.ENTER);
            browser.awaitText("#signin-error", "This token is not known");
            browser.assertNoErrors(".*/session - Failed to load resource: .* 401 .*");

            browser.await("input[name=token]").clear();
            browser.await("input[name=token]").sendKeys(viewerToken(), Keys.ENTER);
            browser.await("h1[data-status=up]");
            browser.await("[data-phase=live]");

            browser.await("button[aria-label='Sign out']").click();
            browser.await("input[name=token]");
            browser.assertNoErrors();
            browser.open("about:blank");
        }
    }

    private String viewerToken() {
        try (var store = Database.open(DatabaseOptions.of(RunningServer.urlOf(database)))) {
            var made = Tokens.in(store, InstantSource.system()).create(new NewToken("eyes", Role.VIEWER, null));
            return ((Creation.Created) made).secret();
        }
    }

    private Object ground() {
        return browser.run("return getComputedStyle(document.body).backgroundColor");
    }

    private boolean told(String change) {
        try {
            return browser.shown(".events li").stream()
                    .anyMatch(line ->
                            Pattern.compile(change).matcher(line.getText()).find());
        } catch (StaleElementReferenceException renderedAnew) {
            return false;
        }
    }
}
