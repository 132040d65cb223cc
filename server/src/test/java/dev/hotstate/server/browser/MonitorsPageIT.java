package dev.hotstate.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** The pages of monitors as people use them, in a real browser, on a target that really goes down. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MonitorsPageIT {
    private static final String HOSTILE = "<img src=x onerror=document.title='hacked'>";

    private final RedisServer redis;
    private final PostgresDatabase database;
    private final SwitchedTarget target = new SwitchedTarget();
    private RunningServer server;
    private Browser browser;

    MonitorsPageIT(RedisServer redis, PostgresDatabase database) {
        this.redis = redis;
        this.database = database;
    }

    @BeforeAll
    void start() {
        browser = new Browser();
        server = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_REDIS_TIMEOUT", "2s"));
        server.call(
                "PUT",
                "/channels/ops",
                "{\"type\":\"webhook\",\"url\":\"%s/hook\"}".formatted(target.url()),
                "Content-Type",
                "application/json");
    }

    @AfterAll
    void stop() {
        browser.close();
        if (server != null) {
            server.close();
        }
        target.close();
    }

    @BeforeEach
    void forget() {
        browser.forget();
        target.bringUp();
    }

    @AfterEach
    void leave() {
        browser.open("about:blank");
        for (var monitor : server.json("/monitors?limit=1000").get("items")) {
            server.call("DELETE", "/monitors/" + monitor.get("id").asText(), "");
        }
    }

    @Test
    void whereNothingIsWatchedThePageTellsHowToBegin() {
        open("/ui/monitors");
        browser.awaitText("hs-empty a", "Add the first one");
        browser.awaitText(".monitor-first", "hotstate monitors apply monitors.yaml --dry-run");
        browser.assertNoErrors();
    }

    @Test
    void theTimeOfAnotherDayIsToldWithItsDate() {
        open("/ui/monitors");
        browser.await("hs-empty a");

        assertThat(browser.run("""
                        return import('/ui/format.js').then(({ time, dateTime, timeOrDate }) => {
                          const now = Date.now();
                          const yesterday = now - 86_400_000;
                          return timeOrDate(now, now) === time(now)
                              && timeOrDate(yesterday, now) === dateTime(yesterday);
                        })""")).isEqualTo(true);
    }

    @Test
    void aLongNameLeavesTheOtherColumnsOfIncidentsTheirRoom() {
        target.takeDown();
        watch("long", "x".repeat(200), "1s");
        open("/ui/monitors?view=incidents");
        browser.awaitText(".incident-name", "xxx");

        assertThat(browser.run("return document.querySelector('.incident-name').offsetWidth"))
                .isInstanceOfSatisfying(Long.class, width -> assertThat(width).isLessThanOrEqualTo(320));
    }

    @Test
    void theListFollowsATargetThatGoesDownAndComesBack() {
        watch("web", "Web", "1s");
        watch("slow", "Seldom asked", "1h");
        open("/ui/monitors");
        browser.await("li[data-id=web][data-state=up]");
        browser.await("[data-phase=live]");
        browser.awaitText("li[data-id=web] .day", "100%");
        assertThat(server.get("/monitors/uptime").statusCode()).isEqualTo(400);

        target.takeDown();
        browser.await("li[data-id=web][data-state=down]");
        browser.awaitText("li[data-id=web] .what", "503");
        browser.awaitText("button[data-state=down]", "1");

        browser.await("button[data-state=down]").click();
        Eventually.until(
                "only what is down is left",
                () -> browser.shown("li[data-id=slow]").isEmpty());
        browser.await("li[data-id=web]");
        assertThat(browser.run("return location.search")).isEqualTo("?state=down");

        target.bringUp();
        browser.awaitText("button[data-state=down]", "0");
        browser.await("button[data-state='']").click();
        browser.await("li[data-id=web][data-state=up]");
        browser.assertNoErrors();
    }

    @Test
    void theListIsSearchedAndDrawsOnlyWhatIsNear() {
        var list = new StringBuilder();
        for (int i = 0; i < 250; i++) {
            list.append("- {id: m%d, name: Monitor %03d, type: tcp, target: 'localhost:1', paused: true, tags: [%s]}\n"
                    .formatted(i, i, i % 2 == 0 ? "even" : "odd"));
        }
        server.call("PUT", "/monitors", list.toString(), "Content-Type", "application/yaml");
        open("/ui/monitors?sort=name");
        browser.await("li[data-id=m0]");
        assertThat(browser.shown("li[data-id]")).hasSizeLessThan(100);

        Eventually.until("the last is read and drawn as one scrolls there", () -> {
            browser.run("scrollTo(0, document.body.scrollHeight)");
            return !browser.shown("li[data-id=m249]").isEmpty();
        });
        assertThat(browser.shown("li[data-id=m0]")).isEmpty();
        assertThat(browser.shown("li[data-id]")).hasSizeLessThan(100);

        browser.run("scrollTo(0, 0)");
        browser.await("input[name=q]").sendKeys("monitor 24");
        Eventually.until("ten are found", () -> browser.shown("li[data-id]").size() == 10);
        browser.await("input[name=tag]").sendKeys("odd");
        Eventually.until(
                "five of them are odd", () -> browser.shown("li[data-id]").size() == 5);
        browser.assertNoErrors();
    }

    @Test
    void aMonitorIsAddedByTheFormWhichShowsWhatIsRefusedBesideItsField() {
        open("/ui/monitors?view=new");
        browser.await("#monitor-name").sendKeys("Shop");
        browser.await("#monitor-target").sendKeys("nowhere");
        browser.await("#monitor-assertions").sendKeys("status = 200");
        browser.await("button[name=save]").click();
        browser.awaitText("[data-field=target] .objection", "http://");
        browser.await("[data-field=assertions] .objection");
        assertThat(browser.shown("[data-field=name] .objection")).isEmpty();

        browser.await("#monitor-target").sendKeys(Keys.chord(Keys.CONTROL, "a"), target.url());
        browser.await("#monitor-assertions").sendKeys(Keys.chord(Keys.CONTROL, "a"), "status == 200");
        browser.await("#monitor-interval").sendKeys("1s");
        browser.await("input[name=alerts][value=ops]").click();
        browser.await("button[name=save]").click();
        browser.await("[data-monitor^=shop][data-state=up]");
        var made = server.json("/monitors").at("/items/0");
        assertThat(made.get("name").asText()).isEqualTo("Shop");
        assertThat(made.get("interval").asText()).isEqualTo("1s");

        browser.await("[data-action=edit]").click();
        browser.await("#monitor-name").sendKeys(Keys.chord(Keys.CONTROL, "a"), "Shop of ours");
        browser.await("button[name=save]").click();
        browser.awaitText("h1", "Shop of ours");
        browser.await("[data-monitor^=shop]");
        browser.assertNoErrors(".*/monitors - Failed to load resource: .* 400 .*");
    }

    @Test
    void aMonitorIsCheckedAtOncePausedResumedAndDeleted() {
        watch("web", "Web", "1h");
        open("/ui/monitors/web");
        browser.await("button[name=check]").click();
        browser.await("[data-result=ok]");
        target.takeDown();
        browser.await("button[name=check]").click();
        browser.await("[data-result=failed]");
        browser.await("[data-monitor=web][data-state=down]");

        browser.await("button[name=pause]").click();
        browser.await("[data-monitor=web][data-state=paused]");
        browser.await("button[name=resume]").click();
        browser.await("[data-monitor=web][data-state=down]");

        browser.await("button[name=delete]").click();
        Eventually.until(
                "it asks",
                () -> Boolean.TRUE.equals(
                        browser.run(
                                "return Boolean(document.querySelector('hs-confirm')?.shadowRoot.querySelector('dialog[open]'))")));
        browser.run("document.querySelector('hs-confirm').shadowRoot.querySelector('.yes').click()");
        browser.awaitText("h1", "Monitors");
        assertThat(server.get("/monitors/web").statusCode()).isEqualTo(404);
        browser.assertNoErrors(".*/monitors/web.* 404 .*");
    }

    @Test
    void anIncidentTellsWhatBecameOfEachAlertAndIsAcknowledged() {
        target.takeDown();
        watch("web", "Web", "1s");
        open("/ui/monitors?view=incidents");
        browser.awaitText("incident-list tr.row", "Open");
        browser.await("incident-list .opener button").click();
        browser.await("[data-delivery][data-status=delivered]");
        browser.awaitText("[data-delivery]", "1 attempt");
        browser.await("button[name=acknowledge]").click();
        browser.awaitText("incident-list tr.row", "Acknowledged");
        assertThat(server.json("/incidents?open=true")
                        .at("/items/0/acknowledged_at")
                        .isNull())
                .isFalse();
        browser.assertNoErrors();
    }

    @Test
    void aChannelIsAddedAndTestedAndItsSecretIsNotShown() {
        open("/ui/monitors?view=channels");
        browser.await("button[name=add-channel]").click();
        browser.await("#channel-id").sendKeys("pager");
        browser.await("#channel-url").sendKeys("ftp://nowhere");
        browser.await("button[name=save]").click();
        browser.await("[data-field=url] .objection");
        browser.await("#channel-url").sendKeys(Keys.chord(Keys.CONTROL, "a"), target.url() + "/hook");
        browser.await("#channel-secret").sendKeys("very secret");
        browser.await("button[name=save]").click();
        browser.await("button[aria-label='Test pager']").click();
        browser.awaitText("[data-test=pager]", "Delivered");
        assertThat(browser.run("return document.documentElement.outerHTML.includes('very secret')"))
                .isEqualTo(false);
        server.call("DELETE", "/channels/pager", "");
        browser.assertNoErrors(".*/channels/pager - Failed to load resource: .* 400 .*");
    }

    @Test
    void whenTheServerDoesNotAnswerNothingIsGreen() {
        watch("web", "Web", "1s");
        open("/ui/monitors");
        browser.await("li[data-id=web][data-state=up]");
        browser.run("window.fetch = () => Promise.reject(new TypeError('cut off'))");
        browser.await("li[data-id=web][data-state=unknown]");
        browser.awaitText("li[data-id=web] .state", "Was up");
        browser.await("monitor-list hs-banner");
    }

    @Test
    void aHostileNameIsOnlyAName() {
        server.post(
                "/monitors",
                "{\"id\":\"bad\",\"name\":\"%s\",\"type\":\"http\",\"target\":\"%s\",\"interval\":\"1h\",\"tags\":[\"<b>x</b>\"]}"
                        .formatted(HOSTILE, target.url()));
        for (var page : new String[] {"/ui/monitors", "/ui/monitors/bad", "/ui/monitors/bad?view=edit", "/ui/status"}) {
            open(page);
            Eventually.until(
                    "the name is shown on " + page,
                    () -> Boolean.TRUE.equals(
                            browser.run(
                                    "return document.body.innerText.includes('<img src=x') || document.body.innerHTML.includes('&lt;img src=x')")));
            assertThat(browser.run("return document.title")).asString().doesNotContain("hacked");
            assertThat(browser.run("return document.querySelectorAll('img[src=x]').length"))
                    .isEqualTo(0L);
        }
        browser.assertNoErrors();
    }

    private void watch(String id, String name, String interval) {
        server.post("/monitors", """
                {"id":"%s","name":"%s","type":"http","target":"%s","interval":"%s","retries":0,"alerts":["ops"]}""".formatted(id, name, target.url(), interval));
    }

    private void open(String path) {
        browser.open(server.url() + path);
        browser.await("h1");
    }
}
