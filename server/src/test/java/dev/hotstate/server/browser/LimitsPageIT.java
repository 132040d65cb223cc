package dev.hotstate.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** The page of limits as people use it, in a real browser on a real server. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitsPageIT {
    private static final String RULES = """
            - {id: login, algorithm: fixed_window, limit: 2, window: 10m}
            - {id: watched, algorithm: token_bucket, limit: 5, window: 1m, burst: 10, on_error: local, shadow: true}
            """;
    private final RedisServer redis;
    private final PostgresDatabase database;
    private RunningServer server;
    private Browser browser;

    LimitsPageIT(RedisServer redis, PostgresDatabase database) {
        this.redis = redis;
        this.database = database;
    }

    @BeforeAll
    void start() {
        browser = new Browser();
        server = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_REDIS_TIMEOUT", "2s"));
    }

    @AfterAll
    void stop() {
        browser.close();
        if (server != null) {
            server.close();
        }
    }

    @BeforeEach
    void apply() {
        browser.forget();
        server.call("PUT", "/limits/rules", RULES, "Content-Type", "application/yaml");
    }

    @Test
    void theRulesAreListedAndFollowAChangeMadeElsewhere() {
        open();
        browser.awaitText("tr[data-key=login]", "fixed window");
        browser.awaitText("tr[data-key=login]", "2 in 10m");
        browser.awaitText("tr[data-key=watched]", "5 in 1m, burst 10");
        browser.await("tr[data-key=watched] hs-pill");
        assertThat(browser.shown("tr[data-key=login] hs-pill")).isEmpty();

        browser.await("[data-phase=live]");
        server.call("PUT", "/limits/rules", RULES.replace("limit: 2", "limit: 3"), "Content-Type", "application/yaml");
        browser.awaitText("tr[data-key=login]", "3 in 10m");
        browser.assertNoErrors();
    }

    @Test
    void whatIsDeniedShowsUpByItselfAndLeadsToTheSubject() {
        open();
        browser.await("tr[data-key=login]");
        Eventually.until("the denials are shown", () -> {
            check("login", "greedy");
            return !browser.shown("tr[data-key=login] .limit-denying").isEmpty();
        });
        browser.awaitText("tr[data-key=login] .limit-denying", "/s");
        browser.await(".limit-top tr.row[data-key*=greedy]").click();
        browser.await(".limit-state[data-subject=greedy][data-remaining='0']");
        browser.awaitText(".limit-state", "Denied");
        browser.assertNoErrors();
    }

    @Test
    void aLongSubjectWithALineBreakLeavesRoomForItsRuleAndLeadsToItsState() {
        var seldom = "- {id: sometimes, algorithm: fixed_window, limit: 1, window: 10m}\n";
        server.call("PUT", "/limits/rules", RULES + seldom, "Content-Type", "application/yaml");
        open();
        browser.await("tr[data-key=sometimes]");
        Eventually.until("the subject is among the most limited", () -> {
            check("sometimes", "broken\\n" + "x".repeat(200));
            return !browser.shown(".limit-top tr.row[data-key*=broken]").isEmpty();
        });
        var height = "getComputedStyle(rule).lineHeight";
        assertThat(browser.run("const rule = document.querySelector('.limit-top tr[data-key*=broken] .limit-rule');"
                        + "return rule.offsetHeight < 2 * parseFloat(" + height + ")"))
                .isEqualTo(true);
        browser.await(".limit-top tr.row[data-key*=broken]").click();
        browser.await(".limit-state[data-subject^=broken][data-remaining='0']");
        browser.assertNoErrors();
    }

    @Test
    void whoARuleInShadowWouldDenyIsNotSaidToBeAllowed() {
        for (int i = 0; i < 11; i++) {
            check("watched", "often");
        }
        open();
        browser.await("tr[data-key=watched]");
        browser.run("document.querySelector('limit-subject').look({rule: 'watched', subject: 'often', tag: 'often'})");
        browser.awaitText(".limit-state[data-subject=often]", "Would be denied");
        browser.assertNoErrors();
    }

    @Test
    void aSubjectIsLookedAtAndReset() {
        check("login", "ann");
        open();
        browser.await("tr[data-key=login]");
        browser.await("#limit-who").sendKeys("ann", Keys.ENTER);
        browser.await(".limit-state[data-subject=ann][data-remaining='1']");

        browser.await("button[name=reset]").click();
        Eventually.until("it asks", this::asks);
        browser.press(Keys.ESCAPE);
        Eventually.until("it does not ask any more", () -> !asks());
        assertThat(server.json("/limits/login/ann").get("remaining").asLong()).isEqualTo(1);

        browser.await("button[name=reset]").click();
        Eventually.until("it asks", this::asks);
        browser.run("document.querySelector('hs-confirm').shadowRoot.querySelector('.yes').click()");
        browser.await(".limit-state[data-subject=ann][data-remaining='2']");
        assertThat(server.json("/limits/login/ann").get("remaining").asLong()).isEqualTo(2);
        browser.assertNoErrors();
    }

    @Test
    void aRuleIsEditedShownAndThenApplied() {
        open();
        browser.await("tr[data-key=login] .opener button").click();
        browser.await("button[name=edit-rule]").click();
        var area = browser.await("#limit-rules");
        Eventually.until(
                "the rule is selected",
                () -> String.valueOf(
                                browser.run(
                                        "const t = document.querySelector('#limit-rules'); return t.value.slice(t.selectionStart, t.selectionEnd)"))
                        .startsWith("- id: login"));

        area.sendKeys("- id: login\n  algorithm: fixed_window\n  limit: 0\n  window: 10m");
        browser.await("button[name=plan]").click();
        Eventually.until(
                "the field is named",
                () -> String.valueOf(browser.run(
                                "return document.querySelector('limit-editor hs-error')?.shadowRoot?.textContent"))
                        .contains("[0].limit"));

        area.sendKeys(Keys.chord(Keys.CONTROL, "a"), RULES.replace("limit: 2", "limit: 9"));
        browser.await("button[name=plan]").click();
        browser.awaitText(".limit-plan", "~ login limit 2 → 9");
        assertThat(server.json("/limits/rules").at("/items/0/limit").asLong()).isEqualTo(2);

        browser.await("button[name=apply]").click();
        browser.awaitText("tr[data-key=login]", "9 in 10m");
        Eventually.until(
                "the editor is gone", () -> browser.shown("limit-editor").isEmpty());
        browser.assertNoErrors(".*/limits/rules\\?dry_run=true - Failed to load resource: .* 400 .*");
    }

    @Test
    void whoWasOvertakenIsToldAndOverwritesNothing() {
        open();
        browser.await("button[name=edit]").click();
        var area = browser.await("#limit-rules");
        server.call("PUT", "/limits/rules", RULES.replace("limit: 2", "limit: 4"), "Content-Type", "application/yaml");
        browser.await("limit-editor hs-banner");
        area.sendKeys(Keys.chord(Keys.CONTROL, "a"), "[]");
        browser.await("button[name=plan]").click();
        Eventually.until(
                "it is refused",
                () -> String.valueOf(browser.run(
                                "return document.querySelector('limit-editor hs-error')?.shadowRoot?.textContent"))
                        .contains("nothing was changed"));
        assertThat(server.json("/limits/rules").at("/items/0/limit").asLong()).isEqualTo(4);
        browser.assertNoErrors(".*/limits/rules\\?dry_run=true - Failed to load resource: .* 412 .*");
    }

    @Test
    void withoutTheFeatureThereIsNoPage() {
        try (var without = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_FEATURES", "audit"))) {
            assertThat(without.get("/limits/rules").statusCode()).isEqualTo(404);
            browser.open(without.url() + "/ui/limits");
            browser.awaitText("h1", "No such page");
            assertThat(browser.shown("nav a[href='/ui/limits']")).isEmpty();
            browser.open("about:blank");
        }
    }

    private void open() {
        browser.open(server.url() + "/ui/limits");
        browser.await("h1");
    }

    private boolean asks() {
        var dialog = "document.querySelector('hs-confirm')?.shadowRoot.querySelector('dialog[open]')";
        return Boolean.TRUE.equals(browser.run("return Boolean(" + dialog + ")"));
    }

    private void check(String rule, String subject) {
        server.post("/limits/check", "{\"checks\":[{\"rule\":\"%s\",\"subject\":\"%s\"}]}".formatted(rule, subject));
    }
}
