package dev.hotstate.jobs.graph;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.hotstate.core.Flaw;
import dev.hotstate.core.InvalidDocumentException;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobDocumentTest {

    @Test
    void whatIsNotSaidHasItsDefault() {
        JobSpec job = read("{'name':'Nightly','tasks':[{'id':'a'}]}").job();

        assertThat(job.id()).matches("nightly-[a-z2-9]{15}");
        assertThat(job.createdBy()).isEqualTo("anonymous");
        assertThat(job.delay()).isZero();
        TaskSpec task = job.tasks().getFirst();
        assertThat(task)
                .isEqualTo(new TaskSpec(
                        "a",
                        "a",
                        List.of(),
                        Trigger.ALL_SUCCESS,
                        "default",
                        new Run.External(),
                        null,
                        0,
                        Duration.ofSeconds(1),
                        Duration.ofHours(1),
                        0));
    }

    @Test
    void aTaskHasTheQueueAndThePriorityOfItsJobUnlessItSaysItsOwn() {
        JobSpec job =
                read("{'name':'x','tasks':[{'id':'a'},{'id':'b','queue':'slow','priority':1}],'queue':'mail','priority':7}")
                        .job();

        assertThat(job.tasks()).extracting(TaskSpec::queue).containsExactly("mail", "slow");
        assertThat(job.tasks()).extracting(TaskSpec::priority).containsExactly(7, 1);
    }

    @Test
    void yamlSaysTheSame() {
        Graph graph = JobDocument.yaml("""
                name: Invoices
                created_by: user-456
                tasks:
                  - id: collect
                    input: {month: 4, words: ["a", null, true]}
                  - id: send
                    needs: [collect]
                    trigger: all_done
                    max_retries: 3
                    backoff: 5s
                    run:
                      http: {url: "https://example.org/hook", body: {ok: true}}
                """.getBytes(UTF_8));

        assertThat(graph.task(0).input()).isEqualTo("{\"month\":4,\"words\":[\"a\",null,true]}");
        assertThat(graph.task(1).run())
                .isEqualTo(new Run.Http("POST", "https://example.org/hook", Map.of(), "{\"ok\":true}"));
        assertThat(graph.task(1).backoff()).isEqualTo(Duration.ofSeconds(5));
        assertThat(graph.needs(1)).containsExactly(0);
        assertThat(graph.dependents(0)).containsExactly(1);
    }

    @Test
    void whatIsWrittenIsReadBackAsItWas() {
        JobSpec job = JobSpec.named("All of it")
                .id("all")
                .createdBy("me")
                .idempotencyKey("k 1")
                .priority(3)
                .queue("q")
                .delay(Duration.ofMinutes(5))
                .task(
                        "a",
                        task -> task.name("The first")
                                .input(Map.of("x", "ü \u0000"))
                                .timeout(Duration.ofSeconds(9)))
                .task(
                        "b",
                        task -> task.needs("a")
                                .trigger(Trigger.ONE_FAILED)
                                .shell("exit 1")
                                .priority(0))
                .task(
                        "c",
                        task -> task.needs("a", "b")
                                .handler("mail")
                                .queue("default")
                                .maxRetries(2))
                .task("d", task -> task.run(new Run.Http("PUT", "http://x/y", Map.of("A", "b"), "text")))
                .build();

        assertThat(JobDocument.stored(JobDocument.write(job)).job()).isEqualTo(job);
        assertThat(read(JobDocument.write(job)).job()).isEqualTo(job);
    }

    @Test
    void everythingThatIsWrongIsToldAtOnce() {
        assertThat(flaws("""
                {'name':'','prio':1,'priority':101,'queue':7,'delay':'soon','tasks':[
                  {'id':'a b','needs':['x','a b'],'trigger':'sometimes','max_retries':-1,'colour':'red'},
                  {'needs':'a','timeout':'1ms','backoff':'2h','run':{'shell':'x','handler':'y'}},
                  {'id':'c','run':{'http':{'method':'FETCH','url':'ftp://x','headers':{'a b':'c'}}},'priority':1.5},
                  7]}"""))
                .containsKeys(
                        "name",
                        "prio",
                        "priority",
                        "queue",
                        "delay",
                        "tasks[0].id",
                        "tasks[0].needs[0]",
                        "tasks[0].needs[1]",
                        "tasks[0].trigger",
                        "tasks[0].max_retries",
                        "tasks[0].colour",
                        "tasks[1].id",
                        "tasks[1].needs",
                        "tasks[1].timeout",
                        "tasks[1].backoff",
                        "tasks[1].run",
                        "tasks[2].run.http.method",
                        "tasks[2].run.http.url",
                        "tasks[2].run.http.headers.a b",
                        "tasks[2].priority",
                        "tasks[3]")
                .containsEntry("tasks[0].needs[0]", "there is no task \"x\"");
    }

    @Test
    void nameAndTasksAreRequired() {
        assertThat(flaws("{}")).containsOnlyKeys("name", "tasks");
        assertThat(flaws("{'name':'x','tasks':[]}")).containsOnlyKeys("tasks");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a,b", "a:b", "{a}", "ü", "a b", "", ".", "..", "a/b", "a\\u0000", "😀", "a*"})
    void anIdThatCannotStandInAKeyIsRefused(String id) {
        assertThat(flaws("{'id':'" + id + "','name':'x','tasks':[{'id':'" + id + "'}]}"))
                .containsKeys("id", "tasks[0].id");
    }

    @Test
    void idsHaveTheirLongestLength() {
        String longest = "{'id':'%s','name':'x','tasks':[{'id':'%s'}]}";

        assertThat(read(longest.formatted("j".repeat(36), "t".repeat(32))).size())
                .isEqualTo(1);
        assertThat(flaws(longest.formatted("j".repeat(37), "t".repeat(33)))).containsOnlyKeys("id", "tasks[0].id");
    }

    @Test
    void duplicateAndSelfAndTwiceAreTold() {
        Map<String, String> flaws = flaws(
                "{'name':'x','tasks':[{'id':'a'},{'id':'a'},{'id':'b','needs':['b']},{'id':'c','needs':['b','b']}]}");

        assertThat(flaws).containsOnlyKeys("tasks[1].id", "tasks[2].needs[0]", "tasks[3].needs");
        assertThat(flaws.get("tasks[2].needs[0]")).contains("b -> b");
    }

    @Test
    void theWayOfACycleIsInTheError() {
        assertThat(flaws(
                        "{'name':'x','tasks':[{'id':'z','needs':['a']},{'id':'a','needs':['b']},{'id':'b','needs':['r','c']},"
                                + "{'id':'c','needs':['a']},{'id':'r'}]}"))
                .containsExactly(Map.entry("tasks[1].needs", "make a cycle: a -> b -> c -> a"));
    }

    @Test
    void aRuleThatNeedsNothingAndCanNeverComeTrueIsRefused() {
        assertThat(flaws("{'name':'x','tasks':[{'id':'a','trigger':'one_failed'},{'id':'b','trigger':'all_done'}]}"))
                .containsOnlyKeys("tasks[0].trigger");
    }

    @Test
    void anInputOfTenMegabytesIsRefusedByItsSize() {
        assertThat(flaws("{'name':'x','tasks':[{'id':'a','input':'" + "x".repeat(10 << 20) + "'}]}"))
                .containsExactly(Map.entry("tasks[0].input", "must be at most 256 KB, not 10240 KB"));
    }

    @Test
    void halfASurrogatePairIsRefused() {
        assertThat(flaws("{'name':'x','tasks':[{'id':'a','input':'\\ud800'}]}")).containsOnlyKeys("tasks[0].input");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "7", "{", "{\"name\":\"x\"} {}", "{\"name\":\"x\",\"name\":\"y\"}"})
    void whatIsNoJobIsRefusedAsAWhole(String text) {
        assertThatThrownBy(() -> JobDocument.json(text.getBytes(UTF_8)))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessageContaining("body");
    }

    @Test
    void anAliasIsNotTakenForAText() {
        assertThatThrownBy(() -> JobDocument.yaml("name: &n x\ntasks: [{id: a, name: *n}]".getBytes(UTF_8)))
                .hasMessageContaining("aliases");
    }

    @Test
    void aHundredThousandTasksAreRead() {
        String tasks = IntStream.range(0, 100_000)
                .mapToObj(i -> "{'id':'t" + i + "','needs':["
                        + (i < 1_000 ? "" : "'t" + (i - 1_000) + "','t" + (i - 999) + "'") + "]}")
                .collect(Collectors.joining(","));

        Graph graph = read("{'name':'big','tasks':[" + tasks + "]}");

        assertThat(graph.size()).isEqualTo(100_000);
        assertThat(graph.edges()).isEqualTo(198_000);
        assertThat(graph.layers()[99_999]).isEqualTo(100);
        assertThat(JobDocument.stored(JobDocument.write(graph.job())).job()).isEqualTo(graph.job());
    }

    @Test
    void tooManyTasksAreRefused() {
        var job = JobSpec.named("x");
        IntStream.range(0, 120_001).forEach(i -> job.task("t" + i, task -> {}));

        assertThatThrownBy(job::build).hasMessageContaining("tasks must be 1 to 120000, not 120001");
    }

    @Test
    void whatIsTooMuchIsToldBeforeAllElse() {
        String tasks = "{'id':'a b'},".repeat(120_001) + "{'id':'c'}";
        String needs = "'x',".repeat(1_000_000) + "'x'";

        assertThat(first("{'name':'x','tasks':[" + tasks + "]}"))
                .isEqualTo(new Flaw("tasks", "must be 1 to 120000, not 120002"));
        assertThat(first("{'name':'x','tasks':[{'id':'a','needs':[" + needs + "]}]}"))
                .isEqualTo(new Flaw("tasks", "must need at most 1000000 others in all, not 1000001"));
    }

    @Test
    void aCycleIsToldBeforeAllElse() {
        assertThat(first("{'name':'','queue':'a b','priority':77,'tasks':[{'id':'a','needs':['b','x']},"
                        + "{'id':'b','needs':['a'],'timeout':'1ms','backoff':'2h'}]}"))
                .isEqualTo(new Flaw("tasks[0].needs", "make a cycle: a -> b -> a"));
    }

    @Test
    void anInputThatCouldNotBeReadAgainIsRefused() {
        assertThat(flaw(Map.of("k".repeat(1_001), 1))).contains("cannot be read as JSON: ", "1001");
        assertThat(flaw(new BigInteger("9".repeat(101)))).contains("101");
        assertThat(flaw(nested(62))).contains("depth (62)");
        assertThat(flawOfText("{'a':1")).contains("cannot be read as JSON: ");
        assertThat(flawOfText("")).endsWith("there is nothing");
        assertThat(flawOfText("1,'name':'other'")).contains("cannot be read as JSON: ");
        assertThat(flawOfText("1 2")).endsWith("it goes on after the first value");
    }

    @Test
    void anInputAtItsBoundsIsReadAgain() {
        Object deepest = nested(61);
        JobSpec job = JobSpec.named("x")
                .task("name", task -> task.input(Map.of("k".repeat(1_000), 1)))
                .task("number", task -> task.input(new BigInteger("9".repeat(100))))
                .task("deep", task -> task.input(deepest))
                .build();

        assertThat(JobDocument.stored(JobDocument.write(job)).job()).isEqualTo(job);
        assertThat(JobDocument.json(JobDocument.write(job).getBytes(UTF_8)).job())
                .isEqualTo(job);
    }

    private static Object nested(int depth) {
        Object value = List.of();
        for (int i = 1; i < depth; i++) {
            value = List.of(value);
        }
        return value;
    }

    private static String flaw(Object input) {
        return onlyFlaw(
                () -> JobSpec.named("x").task("a", task -> task.input(input)).build());
    }

    private static String flawOfText(String input) {
        TaskSpec plain = read("{'name':'x','tasks':[{'id':'a'}]}").job().tasks().getFirst();
        TaskSpec task = new TaskSpec(
                plain.id(),
                plain.name(),
                plain.needs(),
                plain.trigger(),
                plain.queue(),
                plain.run(),
                input.replace('\'', '"'),
                plain.maxRetries(),
                plain.backoff(),
                plain.timeout(),
                plain.priority());
        return onlyFlaw(
                () -> Graph.of(new JobSpec("x", "x", "tests", null, 0, "default", Duration.ZERO, List.of(task))));
    }

    private static String onlyFlaw(ThrowingCallable call) {
        List<Flaw> flaws =
                catchThrowableOfType(InvalidDocumentException.class, call).flaws();
        assertThat(flaws).singleElement().returns("tasks[0].input", Flaw::field);
        return flaws.getFirst().message();
    }

    @Test
    void numbersStayAsTheyAreWritten() {
        String input =
                "{\"a\":12345678901234567890.12345678901234567890,\"b\":1E+400,\"c\":1.10,\"d\":123456789012345678901}";
        JobSpec job =
                read("{'name':'x','tasks':[{'id':'a','input':" + input + "}]}").job();

        assertThat(job.tasks().getFirst().input()).isEqualTo(input);
        assertThat(JobDocument.stored(JobDocument.write(job)).job()).isEqualTo(job);
    }

    @Test
    void aRequestNamesNoPasswordAndNothingThatIsOfTheConnection() {
        Map<String, String> flaws = flaws("{'name':'x','tasks':[{'id':'a','run':{'http':{'url':'http://me:secret@x/y',"
                + "'headers':{'Content-length':'7','TRANSFER-ENCODING':'chunked','X-Mine':'1'}}}}]}");

        assertThat(flaws)
                .containsOnlyKeys(
                        "tasks[0].run.http.url",
                        "tasks[0].run.http.headers.Content-length",
                        "tasks[0].run.http.headers.TRANSFER-ENCODING");
        assertThat(flaws.get("tasks[0].run.http.url")).doesNotContain("secret");
    }

    private static Flaw first(String json) {
        return catchThrowableOfType(InvalidDocumentException.class, () -> read(json))
                .flaws()
                .getFirst();
    }

    private static Graph read(String json) {
        return JobDocument.json(json.replace('\'', '"').getBytes(UTF_8));
    }

    private static Map<String, String> flaws(String json) {
        InvalidDocumentException refused = catchThrowableOfType(InvalidDocumentException.class, () -> read(json));
        return refused.flaws().stream()
                .collect(Collectors.toMap(Flaw::field, Flaw::message, (one, other) -> one + "; " + other));
    }
}
