package dev.hotstate.jobs.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Shell commands on the whole scheduler, also those that do not want to end. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShellIT {
    private static final Map<String, String> SURROUNDINGS =
            Map.of("PATH", System.getenv("PATH"), "HOME", "/nowhere", "SECRET", "hush");

    private final Site site;

    private Path directory;

    ShellIT(RedisServer redis, PostgresDatabase postgres) {
        site = new Site(redis, postgres);
    }

    @BeforeAll
    void begin(@TempDir Path fresh) {
        directory = fresh;
        site.worker(WorkerOptions.named("server").withLease(Duration.ofSeconds(1)))
                .shell(ShellRunner.open(directory, SURROUNDINGS))
                .start();
    }

    @AfterAll
    void close() {
        site.close();
    }

    @Test
    void aCommandGetsItsInputAndLittleElse() {
        String job = site.submit(task -> task.shell(
                        "cat; echo; pwd; env | cut -d= -f1 | sort | grep -v '^_\\|SHLVL\\|PWD'; echo $HOTSTATE_TASK >&2")
                .input(Map.of("a", 1)));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.logged(job))
                .containsExactly(
                        "{\"a\":1}",
                        directory.toString(),
                        "HOME",
                        "HOTSTATE_ATTEMPT",
                        "HOTSTATE_FENCE",
                        "HOTSTATE_JOB",
                        "HOTSTATE_MARK",
                        "HOTSTATE_TASK",
                        "PATH",
                        "only");
        assertThat(site.only(job).result()).startsWith("{\"exit_code\":0,\"output\":\"{\\\"a\\\":1}\\n");
    }

    @Test
    void anExitCodeIsAFailureWithTheLastLine() {
        String job = site.submit(task -> task.shell("echo fine; echo no space left >&2; exit 3"));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.FAILED);
        assertThat(site.only(job).error()).isEqualTo("exit code 3: no space left");
    }

    @Test
    void ofAFloodTheEndIsKept() {
        String job = site.submit(task -> task.shell("seq 1 200000; printf 'the \\001 end'"));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result())
                .hasSizeBetween(60_000, 90_000)
                .endsWith("199999\\n200000\\nthe \\u0001 end\"}");
        assertThat(site.logged(job)).hasSizeLessThanOrEqualTo(1_000).endsWith("200000", "the \u0001 end");
    }

    @Test
    void whatACommandLeavesBehindDiesWithIt() throws IOException {
        String job = site.submit(
                task -> task.shell(
                        "sleep 600 & echo $! > left1; setsid sleep 600 & echo $! > left2; (setsid nohup sleep 600 & echo $! > left3) & wait $!; echo ok"));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        for (String file : List.of("left1", "left2", "left3")) {
            assertThat(isAlive(file)).as(file).isFalse();
        }
    }

    @Test
    void aCommandThatEndsLeavesThoseBesideItAlone() {
        String job = site.submit(JobSpec.named("pair")
                .task("first", task -> task.shell("echo $$ > first; while [ ! -e go ]; do sleep 0.02; done"))
                .task("second", task -> task.shell("sleep 600 & while [ ! -s first ]; do sleep 0.02; done")));
        Eventually.until(
                "the second has ended",
                () -> site.jobs.task(job, "second").orElseThrow().status() == TaskStatus.SUCCEEDED);

        assertThat(isAlive("first")).isTrue();
        write("go");
        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aCommandOutOfTimeIsEndedWithItsChildrenAlsoIfItWillNotHear() {
        String job = site.submit(task -> task.shell(
                        "trap '' TERM; (trap '' TERM; echo $$ > deaf; exec sleep 600) & echo $! > child; while :; do sleep 1; done")
                .timeout(Duration.ofMillis(700)));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.FAILED);
        assertThat(site.only(job).error()).contains("timed out");
        Eventually.until("all of it has ended", () -> !isAlive("child") && !isAlive("deaf"));
    }

    @Test
    void aCommandThatKeepsStartingOthersIsEndedWithAllOfThem() throws IOException {
        Files.deleteIfExists(directory.resolve("halt"));
        Files.writeString(
                directory.resolve("again"),
                "trap '' TERM; touch beat; [ -e halt ] && exit; sleep 0.05; setsid sh again &\n");
        String job = site.submit(task -> task.shell("for i in 1 2 3 4 5 6; do sh again & done; sleep 600")
                .timeout(Duration.ofMillis(700)));
        try {
            assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.FAILED);
            // It may be ended while its command still is.
            Eventually.until("none of them is heard of any more", this::isSilent);
        } finally {
            write("halt");
        }
    }

    @Test
    void aCancelledCommandIsEnded() {
        String job = site.submit(task -> task.shell("echo $$ > cancelled; sleep 600"));
        Eventually.until("it runs", () -> Files.exists(directory.resolve("cancelled")) && isAlive("cancelled"));

        site.jobs.cancel(job);

        Eventually.until("it has ended", () -> !isAlive("cancelled"));
        assertThat(site.only(job).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    @Test
    void withoutSetsidItSaysSoAtTheStart() {
        assertThatThrownBy(() -> ShellRunner.open(directory, Map.of("PATH", "/nowhere")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("need the program setsid (of util-linux)");
        assertThatThrownBy(() -> ShellRunner.open(directory.resolve("none"), SURROUNDINGS))
                .hasMessageContaining("is no directory");
    }

    private boolean isSilent() {
        String listening = site.submit(task -> task.shell("rm -f beat; sleep 0.5; test ! -e beat"));
        return site.awaitEnd(listening).status() == JobStatus.SUCCEEDED;
    }

    private void write(String file) {
        try {
            Files.writeString(directory.resolve(file), "");
        } catch (IOException full) {
            throw new AssertionError(full);
        }
    }

    /** The process whose number stands in a file; one that nobody has reaped yet is dead. */
    private boolean isAlive(String file) {
        try {
            String pid = Files.readString(directory.resolve(file)).strip();
            Path stat = Path.of("/proc", pid, "stat");
            return !pid.isEmpty()
                    && Files.exists(stat)
                    && !Files.readString(stat).contains(") Z ");
        } catch (IOException gone) {
            return false;
        }
    }
}
