package dev.hotstate.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.server.RunningServer;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.openqa.selenium.Keys;

/** The pages of jobs as people use them, in a real browser, with a worker that really works. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobsPageIT {
    private static final String HOSTILE = "<img src=x onerror=document.title='hacked'>";

    private final RedisServer redis;
    private final PostgresDatabase database;
    private RunningServer server;
    private Browser browser;

    JobsPageIT(RedisServer redis, PostgresDatabase database) {
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
    void forget() {
        browser.forget();
    }

    @AfterEach
    void leave() {
        browser.open("about:blank");
    }

    @Test
    void aJobIsSubmittedWatchedAndItsLogRead() {
        browser.open(server.url() + "/ui/jobs?view=new");
        var document = browser.await("#document");
        document.clear();
        document.sendKeys("name: Report\nqueue: seen\ntasks: [{id: collect}, {id: send, needs: [nobody]}]");
        browser.await("job-form button[type=submit]").click();
        browser.awaitText("hs-error", "tasks[1].needs[0]");
        document.clear();
        document.sendKeys(
                "id: report\nname: Report\nqueue: seen\ntasks: [{id: collect}, {id: send, needs: [collect]}]");
        browser.await("job-form button[type=submit]").click();
        browser.await("[data-job=report]");
        browser.await(".job-graph[data-tasks='2']");
        browser.awaitText("[data-fact=progress]", "0%");

        var task = claim("seen");
        call(task, "log", "\"lines\":[\"fetching\",\"<b>bold</b>\"]");
        browser.open(server.url() + "/ui/jobs/report?task=collect");
        browser.await("[data-job=report][data-status=RUNNING]");
        browser.await(".task-log[data-lines='2']");
        browser.awaitText(".task-log", "<b>bold</b>");
        call(task, "log", "\"lines\":[\"done\"]");
        browser.awaitText(".task-log", "done");
        call(task, "complete", "\"result\":{\"rows\":12}");
        browser.await(".task-panel[data-status=SUCCEEDED]");
        browser.awaitText(".task-data", "12");
        browser.await(".task-log[data-phase=ended]");

        call(claim("seen"), "fail", "\"error\":\"no route to host\",\"retryable\":false");
        browser.await("[data-job=report][data-status=FAILED]");
        Eventually.until(
                "PostgreSQL knows of its end",
                () -> !server.json("/jobs/report").get("live").asBoolean());
        browser.await("button[name=retry]:not([disabled])").click();
        browser.await("[data-fact=epoch]");
        call(claim("seen"), "complete", "\"result\":null");
        browser.await("[data-job=report][data-status=SUCCEEDED]");
        browser.open(server.url() + "/ui/jobs/report?view=timeline");
        browser.await(".job-gantt[data-rows='2']");
        browser.assertNoErrors(".*status of 400.*");
    }

    @Test
    void aJobIsHeldUpAndCancelled() {
        submit(
                "{\"id\":\"held\",\"name\":\"Held\",\"queue\":\"held\",\"tasks\":[{\"id\":\"a\"},{\"id\":\"b\",\"needs\":[\"a\"]}]}");
        browser.open(server.url() + "/ui/jobs/held?view=tasks");
        browser.await("tr[data-key=b]").click();
        browser.await("tr.detail [data-why]");
        browser.await("button[name=pause]:not([disabled])").click();
        browser.await("[data-job=held][data-status=PAUSED]");
        browser.await("button[name=resume]:not([disabled])").click();
        browser.await("button[name=pause]:not([disabled])");
        browser.await("button[name=cancel]:not([disabled])").click();
        Eventually.until(
                "it is asked whether",
                () -> Boolean.TRUE.equals(
                        browser.run(
                                "return document.querySelector('hs-confirm')?.shadowRoot?.querySelector('button.yes') != null")));
        browser.run("document.querySelector('hs-confirm').shadowRoot.querySelector('button.yes').click()");
        browser.await("[data-job=held][data-status=CANCELLED]");
        browser.assertNoErrors();
    }

    @Test
    void theListFollowsItsJobsAndHostileNamesAreHarmless() {
        submit("{\"id\":\"listed\",\"name\":\"" + HOSTILE + "\",\"queue\":\"listed\",\"tasks\":[{\"id\":\"a\"}]}");
        browser.open(server.url() + "/ui/jobs");
        browser.awaitText("tr[data-key=listed] .job-name", HOSTILE);
        browser.await("[data-phase=live]");
        call(claim("listed"), "complete", "\"result\":1");
        browser.await("tr[data-key=listed] hs-pill[data-status=SUCCEEDED]");
        browser.await("button[data-filter=FAILED]").click();
        Eventually.until(
                "only failed ones are left",
                () -> browser.shown("tr[data-key=listed]").isEmpty());
        assertThat(browser.run("return location.search")).isEqualTo("?status=FAILED");
        browser.open(server.url() + "/ui/jobs?view=queues");
        browser.awaitText("tr[data-key=listed]", "listed");
        browser.open(server.url() + "/ui/jobs?view=workers");
        browser.awaitText("tr[data-key=browser-test]", "listed");
        browser.open(server.url() + "/ui/jobs?view=schedules");
        browser.awaitText("schedule-list", "Nothing is scheduled");
        assertThat(browser.run("return document.title")).isEqualTo("Jobs · hotstate");
        browser.assertNoErrors();
    }

    @Test
    void aJobOfTwoThousandTasksIsDrawnAndMoved() {
        var tasks = new ArrayList<String>();
        for (int i = 0; i < 2_000; i++) {
            int above = i - 50;
            int beside = above % 50 == 49 ? above - 1 : above + 1;
            var needs = above < 0 ? "" : "\"t" + above + "\",\"t" + beside + "\"";
            tasks.add("{\"id\":\"t" + i + "\",\"needs\":[" + needs + "]}");
        }
        submit("{\"id\":\"large\",\"name\":\"Large\",\"queue\":\"large\",\"tasks\":[" + String.join(",", tasks) + "]}");
        browser.open(server.url() + "/ui/jobs/large");
        browser.await(".job-graph[data-tasks='2000']");
        browser.await(".job-graph canvas").sendKeys("+", "+", Keys.ARROW_RIGHT, "0");
        browser.await(".job-graph-find input").sendKeys("t1234", Keys.ENTER);
        browser.await("hs-card[heading=t1234]");

        browser.open(server.url() + "/ui/jobs/large?view=tasks");
        browser.await("tr[data-key=t24]");
        browser.await("job-tasks button[aria-label='Next page']").click();
        browser.await("tr[data-key=t25]");
        browser.await("job-tasks button[aria-label='Next page']").click();
        browser.await("tr[data-key=t50]");
        browser.await("job-tasks option[value=READY]").click();
        browser.await("tr[data-key=t0]");
        browser.assertNoErrors();
        server.call("POST", "/jobs/large/cancel", "");
    }

    private void submit(String json) {
        assertThat(server.post("/jobs", json).statusCode()).isEqualTo(201);
    }

    private JsonNode claim(String queue) {
        var answer = server.post(
                "/tasks/claim", "{\"worker\":\"browser-test\",\"queues\":[\"" + queue + "\"],\"wait\":\"15s\"}");
        return RunningServer.tree(answer).get("items").get(0);
    }

    private void call(JsonNode task, String verb, String fields) {
        var answer = server.post(
                "/jobs/" + task.get("job_id").asText() + "/tasks/"
                        + task.get("task_id").asText() + "/" + verb,
                "{\"fence\":\"" + task.get("fence").asText() + "\"," + fields + "}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }
}
