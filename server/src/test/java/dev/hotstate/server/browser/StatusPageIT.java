package dev.hotstate.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The public status page in a real browser, on a server that asks everybody else for a token. */
@ExtendWith(Testkit.class)
class StatusPageIT {
    @Test
    void anybodySeesHowItIsAndNobodyAnythingElse(RedisServer redis, PostgresDatabase database) {
        try (var target = new SwitchedTarget();
                var browser = new Browser()) {
            try (var open = RunningServer.on(redis.uri(), database)) {
                open.post("/monitors", """
                        {"id":"web","name":"Web shop","type":"http","target":"%s","interval":"1s","retries":0,"tags":["Shop"]}""".formatted(target.url()));
                open.post("/monitors", """
                        {"id":"inner","name":"Inner workings","type":"http","target":"%s","interval":"1s","tags":["private"]}""".formatted(target.url()));
            }
            try (var guarded = RunningServer.on(redis.uri(), database, Map.of("HOTSTATE_AUTH_TOKENS", "required"))) {
                browser.open(guarded.url() + "/ui/status");
                browser.awaitText("[data-overall=up] h1", "All systems are up");
                browser.awaitText("[data-group=Shop] h2", "Shop");
                browser.await("[data-group=Shop] li[data-id=web][data-state=up] hs-days");
                assertThat(browser.shown("li[data-id=inner], input[name=token], nav"))
                        .isEmpty();

                target.takeDown();
                browser.awaitText("[data-overall=down] h1", "down");
                browser.await("li[data-id=web][data-state=down]");
                browser.awaitText("[data-incident]", "Web shop is down");
                assertThat(browser.run("return document.documentElement.outerHTML"))
                        .asString()
                        .doesNotContain(target.url());
                browser.assertNoErrors();

                browser.run("window.fetch = () => Promise.reject(new TypeError('cut off'))");
                // As somebody who comes back to the page does, which asks at once.
                browser.run("document.dispatchEvent(new Event('visibilitychange'))");
                browser.await("[data-overall=unknown]");
                browser.await("li[data-id=web][data-state=unknown]");

                browser.open(guarded.url() + "/ui/monitors");
                browser.await("input[name=token]");
                browser.open("about:blank");
            }
        }
    }
}
