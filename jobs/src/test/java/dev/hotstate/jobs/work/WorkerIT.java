package dev.hotstate.jobs.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.hotstate.core.Fence;
import dev.hotstate.core.HotstateException;
import dev.hotstate.jobs.Held;
import dev.hotstate.jobs.TaskView;
import dev.hotstate.jobs.graph.JobBuilder;
import dev.hotstate.jobs.graph.JobSpec;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.testkit.Eventually;
import dev.hotstate.testkit.PostgresDatabase;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Java handlers on the whole scheduler. */
@ExtendWith(Testkit.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WorkerIT {
    private static final WorkerOptions QUICK = WorkerOptions.named("worker-1")
            .withConcurrency(8)
            .withLease(Duration.ofSeconds(3))
            .withGrace(Duration.ofSeconds(5));

    private final RedisServer redis;
    private final Site site;

    WorkerIT(RedisServer redis, PostgresDatabase postgres) {
        this.redis = redis;
        this.site = new Site(redis, postgres);
    }

    @AfterEach
    void closeWorkers() {
        site.closeWorkers();
    }

    @AfterAll
    void close() {
        site.close();
    }

    record Order(String item, int count) {}

    record Receipt(String item, int paid) {}

    @Test
    void inputsAndResultsAreTypedAndPassedOn() {
        site.worker(QUICK)
                .handler("price", Order.class, Receipt.class, (order, context) -> {
                    context.log("pricing " + order.item());
                    return new Receipt(order.item(), order.count() * 7);
                })
                .handler(
                        "sum",
                        Integer.class,
                        (TaskContext context) -> context.results().stream()
                                .mapToInt(need -> context.result(need, Receipt.class)
                                        .orElseThrow()
                                        .paid())
                                .sum())
                .start();

        String job = site.submit(JobSpec.named("sums")
                .task("a", task -> task.handler("price").input(new Order("tea", 2)))
                .task("b", task -> task.handler("price").input(new Order("jam", 3)))
                .task("only", task -> task.needs("a", "b").handler("sum")));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("35");
        assertThat(site.jobs.logs(job, "a", 0, 10).orElseThrow().lines())
                .singleElement()
                .asString()
                .endsWith("pricing tea");
    }

    @Test
    void aHandlerMayAskWhetherItStillHoldsItsTask() {
        site.worker(QUICK).handler("ask", Boolean.class, TaskContext::heartbeat).start();

        String job = site.submit(task -> task.handler("ask"));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("true");
    }

    @Test
    void tasksForAnybodyAreDoneByTheWorkerOfTheirQueue() {
        Queue<String> done = new ConcurrentLinkedQueue<>();
        site.worker(QUICK)
                .queue("mail", Integer.class, context -> {
                    done.add(context.taskId() + context.attempt());
                    return null;
                })
                .start();

        site.awaitEnd(site.submit(task -> task.queue("mail")));

        assertThat(done).containsExactly("only1");
    }

    @Test
    void manyTasksAreDoneOnceEachAndInOrder() {
        Set<String> done = ConcurrentHashMap.newKeySet();
        Queue<String> wrong = new ConcurrentLinkedQueue<>();
        site.worker(QUICK.withConcurrency(32))
                .handler("step", String.class, context -> {
                    if (!done.containsAll(context.results())) {
                        wrong.add(context.taskId() + " before its needs");
                    }
                    if (!done.add(context.taskId())) {
                        wrong.add(context.taskId() + " twice");
                    }
                    return context.taskId();
                })
                .start();

        JobBuilder layers = JobSpec.named("layers");
        for (int layer = 0; layer < 10; layer++) {
            for (int i = 0; i < 50; i++) {
                String[] needs =
                        layer == 0 ? new String[0] : new String[] {layer - 1 + "-" + i, layer - 1 + "-" + (i + 1) % 50};
                layers.task(layer + "-" + i, task -> task.needs(needs).handler("step"));
            }
        }

        assertThat(site.awaitEnd(site.submit(layers)).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(wrong).isEmpty();
        assertThat(done).hasSize(500);
    }

    @Test
    void aTaskThatIsAloneHasAThreadOfTheSystemsAndOthersHaveVirtualOnes() {
        CountDownLatch both = new CountDownLatch(2);
        Map<String, Boolean> virtual = new ConcurrentHashMap<>();
        Worker worker = site.worker(QUICK);
        worker.handler("where", String.class, context -> {
                    virtual.put(context.taskId(), Thread.currentThread().isVirtual());
                    if (context.taskId().startsWith("one-of")) {
                        both.countDown();
                        await(both);
                    } else if (Thread.currentThread().isVirtual()) {
                        Eventually.until("it is alone", () -> worker.running() == 1 && oneWaitsAlone());
                    }
                    return null;
                })
                .start();
        Eventually.until("the thread for those alone waits", WorkerIT::oneWaitsAlone);

        String chain = site.submit(JobSpec.named("chain")
                .task("first", task -> task.handler("where"))
                .task("second", task -> task.needs("first").handler("where"))
                .task("third", task -> task.needs("second").handler("where"))
                .task("one-of-two", task -> task.needs("third").handler("where"))
                .task("one-of-both", task -> task.needs("third").handler("where"))
                .task("last", task -> task.needs("one-of-two", "one-of-both").handler("where"))
                .task("very-last", task -> task.needs("last").handler("where")));

        assertThat(site.awaitEnd(chain).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(virtual)
                .containsEntry("first", false)
                .containsEntry("third", false)
                .containsEntry("very-last", false);
        assertThat(List.of(virtual.get("one-of-two"), virtual.get("one-of-both")))
                .contains(true);
    }

    @Test
    void aHandlerThatKeepsTheThreadOfThoseAloneKeepsNobodyElse() {
        CountDownLatch end = new CountDownLatch(1);
        site.worker(QUICK)
                .handler("wait", String.class, context -> {
                    await(end);
                    return null;
                })
                .handler("pass", String.class, context -> "passed")
                .start();
        String waiting = site.submit(task -> task.handler("wait"));
        Eventually.until("it runs", () -> site.only(waiting).status() == TaskStatus.RUNNING);

        String passing = site.submit(JobSpec.named("chain")
                .task("a", task -> task.handler("pass"))
                .task("b", task -> task.needs("a").handler("pass")));

        assertThat(site.awaitEnd(passing).status()).isEqualTo(JobStatus.SUCCEEDED);
        end.countDown();
        assertThat(site.awaitEnd(waiting).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void aTaskForWhichThereIsNoThreadIsHandedBackAtNoCost() {
        AtomicInteger asked = new AtomicInteger();
        Worker worker = site.worker(QUICK.withThreads(task -> {
                    if (asked.incrementAndGet() <= 3) {
                        throw new OutOfMemoryError("as if no thread could be started");
                    }
                    return Thread.ofVirtual().unstarted(task);
                }))
                .handler("pass", Integer.class, TaskContext::attempt)
                .start();

        String job = site.submit(task -> task.handler("pass"));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("1");
        Eventually.until("its place is free", () -> worker.running() == 0);
    }

    @Test
    void whileACallIsUnderWayEndsGoTogether() {
        HeldCalls calls = new HeldCalls(site.tasks);
        Semaphore turns = new Semaphore(0);
        try (Worker worker = Worker.of(calls, QUICK.withConcurrency(9))) {
            worker.handler("step", String.class, context -> {
                        turns.acquire();
                        return "done";
                    })
                    .start();
            JobBuilder nine = JobSpec.named("nine");
            IntStream.range(0, 9).forEach(i -> nine.task("t-" + i, task -> task.handler("step")));
            String job = site.submit(nine);
            Eventually.until("all nine run", () -> worker.running() == 9);

            turns.release();
            Eventually.until("the first end is under way", () -> calls.sizes().equals(List.of(1)));
            turns.release(3);
            Eventually.until("three more are", () -> calls.sizes().equals(List.of(1, 3)));
            turns.release(5);
            calls.letGo();

            assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        }
    }

    @Test
    void aFailureIsTriedAgainAndSaysOnlyWhatItMust() {
        AtomicInteger tries = new AtomicInteger();
        site.worker(QUICK)
                .handler("shaky", String.class, context -> {
                    if (tries.incrementAndGet() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                    return "attempt " + context.attempt() + (context.isLastAttempt() ? ", the last" : "");
                })
                .handler("broken", String.class, context -> {
                    throw new IllegalStateException("never");
                })
                .start();

        String shaky = site.submit(task -> task.handler("shaky").maxRetries(2).backoff(Duration.ofMillis(20)));
        String broken = site.submit(task -> task.handler("broken"));

        assertThat(site.awaitEnd(shaky).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(shaky).result()).isEqualTo("\"attempt 3, the last\"");
        assertThat(site.awaitEnd(broken).status()).isEqualTo(JobStatus.FAILED);
        assertThat(site.only(broken).error()).isEqualTo("java.lang.IllegalStateException: never");
    }

    @Test
    void whatCannotSucceedIsNotTriedAgain() {
        AtomicInteger tries = new AtomicInteger();
        site.worker(QUICK)
                .handler("refuse", String.class, context -> {
                    tries.incrementAndGet();
                    throw new NotRetryableException("no such customer");
                })
                .handler("read", Order.class, String.class, (order, context) -> order.item())
                .handler("large", String.class, context -> "x".repeat(300_000))
                .start();

        String refused = site.submit(task -> task.handler("refuse").maxRetries(5));
        String unreadable =
                site.submit(task -> task.handler("read").maxRetries(5).input(Map.of("item", "tea", "count", "many")));
        String missing = site.submit(task -> task.handler("read").maxRetries(5));
        String large = site.submit(task -> task.handler("large").maxRetries(5));

        assertThat(failed(refused).error()).isEqualTo("no such customer");
        assertThat(tries).hasValue(1);
        assertThat(failed(unreadable).error()).startsWith("the input cannot be read as Order: ");
        assertThat(failed(missing).error()).isEqualTo("the task has no input, and its handler reads Order");
        assertThat(failed(large).error()).startsWith("the result is 300002 bytes as JSON, and may be 262144");
    }

    @Test
    void aTaskLongerThanItsLeaseIsKept() {
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger tries = new AtomicInteger();
        site.worker(QUICK.withLease(Duration.ofSeconds(1)))
                .handler("long", String.class, context -> {
                    tries.incrementAndGet();
                    goOn.await();
                    return "done";
                })
                .start();
        String job = site.submit(task -> task.handler("long"));
        Eventually.until("it runs", () -> site.only(job).leaseUntil() != null);
        var first = site.only(job).leaseUntil();

        Eventually.until("its lease was extended twice over", () -> {
            var now = site.only(job).leaseUntil();
            return now != null && now.isAfter(first.plusSeconds(2));
        });
        goOn.countDown();

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(tries).hasValue(1);
    }

    @Test
    void aCancelledTaskIsInterruptedAndItsPlaceIsFree() {
        AtomicBoolean cancelled = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        site.worker(QUICK.withConcurrency(1).withLease(Duration.ofSeconds(1)))
                .handler("wait", String.class, context -> {
                    begun.countDown();
                    try {
                        new CountDownLatch(1).await();
                        return null;
                    } finally {
                        cancelled.set(context.isCancelled());
                    }
                })
                .handler("next", String.class, context -> "next")
                .start();
        String job = site.submit(task -> task.handler("wait"));
        await(begun);

        site.jobs.cancel(job);

        assertThat(site.awaitEnd(site.submit(task -> task.handler("next"))).status())
                .isEqualTo(JobStatus.SUCCEEDED);
        assertThat(cancelled).isTrue();
        assertThat(site.job(job).status()).isEqualTo(JobStatus.CANCELLED);
    }

    @Test
    void aCancelledTaskLeavesItsPermitToTheNextAtOnce() {
        site.jobs.limit("single", 1);
        CountDownLatch begun = new CountDownLatch(1);
        // Its permit would be held as long as its lease, which is longer than anybody waits here.
        site.worker(QUICK.withQueues("single").withLease(Duration.ofHours(1)))
                .handler("wait", String.class, context -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                    return null;
                })
                .handler("next", String.class, context -> "next")
                .start();
        String job = site.submit(task -> task.handler("wait").queue("single"));
        await(begun);

        site.jobs.cancel(job);

        assertThat(site.awaitEnd(site.submit(task -> task.handler("next").queue("single")))
                        .status())
                .isEqualTo(JobStatus.SUCCEEDED);
        site.jobs.limit("single", null);
    }

    @Test
    void aTaskOutOfTimeIsInterruptedAndTriedAgain() {
        AtomicInteger tries = new AtomicInteger();
        site.worker(QUICK)
                .handler("slow", String.class, context -> {
                    if (tries.incrementAndGet() == 1) {
                        new CountDownLatch(1).await();
                    }
                    return "attempt " + context.attempt();
                })
                .start();

        String job = site.submit(task -> task.handler("slow")
                .timeout(Duration.ofMillis(300))
                .maxRetries(1)
                .backoff(Duration.ofMillis(10)));

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(job).result()).isEqualTo("\"attempt 2\"");
    }

    @Test
    void aHandlerThatNeverReturnsKeepsNeitherOthersNorTheEndOfItsWorker() {
        Semaphore release = new Semaphore(0);
        Worker worker = site.worker(QUICK.withConcurrency(1).withGrace(Duration.ZERO))
                .handler("stuck", String.class, context -> {
                    release.acquireUninterruptibly();
                    return "late";
                })
                .handler("next", String.class, context -> "next")
                .start();

        String stuck = site.submit(task -> task.handler("stuck").timeout(Duration.ofMillis(200)));
        assertThat(failed(stuck).error()).contains("timed out");
        assertThat(site.awaitEnd(site.submit(task -> task.handler("next"))).status())
                .isEqualTo(JobStatus.SUCCEEDED);

        String another = site.submit(task -> task.handler("stuck"));
        Eventually.until("the other runs", () -> site.only(another).status() == TaskStatus.RUNNING);
        worker.close();
        assertThat(site.only(another).status()).isEqualTo(TaskStatus.READY);
        release.release(100);
        assertThat(site.only(stuck).status()).isEqualTo(TaskStatus.FAILED);
    }

    @Test
    void aClosedWorkerLetsTasksEndOrHandsThemBackAtNoCost() throws Exception {
        CountDownLatch begun = new CountDownLatch(2);
        CountDownLatch quick = new CountDownLatch(1);
        Worker first = site.worker(QUICK.withGrace(Duration.ofMillis(700)))
                .handler("quick", String.class, context -> {
                    begun.countDown();
                    quick.await();
                    return "in the grace";
                })
                .handler("endless", String.class, context -> {
                    begun.countDown();
                    new CountDownLatch(1).await();
                    return null;
                })
                .start();
        String ends = site.submit(task -> task.handler("quick"));
        String comesBack = site.submit(task -> task.handler("endless"));
        await(begun);

        Thread closing = Thread.ofVirtual().start(first::close);
        quick.countDown();
        closing.join();

        assertThat(site.awaitEnd(ends).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(site.only(comesBack).status()).isEqualTo(TaskStatus.READY);
        site.worker(QUICK)
                .handler("endless", String.class, context -> "attempt " + context.attempt())
                .start();
        assertThat(site.awaitEnd(comesBack).status()).isEqualTo(JobStatus.SUCCEEDED);
    }

    @Test
    void linesOfALogComeInOrderAndBeforeTheEndAndOfAFloodTheLast() {
        site.worker(QUICK)
                .handler("talk", String.class, context -> {
                    for (int i = 0; i < 20; i++) {
                        context.log("line " + i);
                    }
                    context.log("two\nlines " + "x".repeat(1_000_000));
                    return null;
                })
                .handler("flood", String.class, context -> {
                    for (int i = 0; i < 5_000; i++) {
                        context.log("line " + i);
                    }
                    return null;
                })
                .start();
        String talk = site.submit(task -> task.handler("talk"));
        String flood = site.submit(task -> task.handler("flood"));

        site.awaitEnd(talk);
        List<String> lines = site.logged(talk);
        assertThat(lines).hasSize(22);
        assertThat(lines.subList(0, 20)).isEqualTo(numbered(0, 20));
        assertThat(lines.get(20)).isEqualTo("two");
        assertThat(lines.get(21)).hasSizeLessThanOrEqualTo(4_096).startsWith("lines xxx");
        site.awaitEnd(flood);
        assertThat(site.logged(flood)).hasSizeLessThanOrEqualTo(1_000).endsWith("line 4998", "line 4999");
    }

    @Test
    void endsAreToldOnceRedisIsBack() {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicInteger tries = new AtomicInteger();
        site.worker(QUICK.withLease(Duration.ofSeconds(20)))
                .handler("long", String.class, context -> {
                    tries.incrementAndGet();
                    begun.countDown();
                    goOn.await();
                    return "done";
                })
                .start();
        String job = site.submit(task -> task.handler("long"));
        await(begun);

        redis.pause();
        goOn.countDown();
        try {
            Eventually.until("a call that came later has failed", this::redisDoesNotAnswer);
        } finally {
            redis.resume();
        }

        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(tries).hasValue(1);
    }

    @Test
    void aQueueWithALimitRunsSoManyAtOnceOverAllPartitions() {
        site.jobs.limit("narrow", 2);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        CountDownLatch two = new CountDownLatch(2);
        site.worker(QUICK.withQueues("narrow").withConcurrency(16))
                .handler("count", String.class, context -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    two.countDown();
                    two.await();
                    running.decrementAndGet();
                    done.incrementAndGet();
                    return null;
                })
                .start();

        for (int i = 0; i < 30; i++) {
            site.submit(task -> task.queue("narrow").handler("count"));
        }

        Eventually.until("all are done", () -> done.get() == 30);
        assertThat(most.get()).isEqualTo(2);
    }

    @Test
    void whoHasEnoughToDoInOnePartitionComesToTheOtherToo() {
        Semaphore steps = new Semaphore(0);
        Set<String> done = ConcurrentHashMap.newKeySet();
        site.worker(QUICK.withConcurrency(2))
                .handler("step", String.class, context -> {
                    steps.acquire();
                    done.add(context.jobId());
                    return null;
                })
                .start();
        JobBuilder large = JobSpec.named("large");
        IntStream.range(0, 5_000).forEach(i -> large.task("t-" + i, task -> task.handler("step")));
        String backlog = site.submit(large);
        Eventually.until("it is at it", () -> site.job(backlog).status() == JobStatus.RUNNING);
        // Of twenty some are in the other partition.
        List<String> others = IntStream.range(0, 20)
                .mapToObj(i -> site.submit(task -> task.handler("step").priority(100)))
                .toList();

        Eventually.until("all others are done", () -> {
            steps.release(2);
            return done.containsAll(others);
        });

        assertThat(site.job(backlog).status()).isEqualTo(JobStatus.RUNNING);
        site.jobs.cancel(backlog);
        steps.release(10);
    }

    @Test
    void aQueueWithALimitGetsItsTurnBesideOneThatAlwaysHasMore() {
        site.jobs.limit("scarce", 1);
        Semaphore steps = new Semaphore(0);
        Set<String> done = ConcurrentHashMap.newKeySet();
        site.worker(QUICK.withQueues("plenty", "scarce").withConcurrency(1))
                .handler("step", String.class, context -> {
                    steps.acquire();
                    done.add(context.jobId());
                    return null;
                })
                .start();
        JobBuilder large = JobSpec.named("large").queue("plenty");
        IntStream.range(0, 5_000).forEach(i -> large.task("t-" + i, task -> task.handler("step")));
        String backlog = site.submit(large);
        Eventually.until("it is at it", () -> site.job(backlog).status() == JobStatus.RUNNING);
        String scarce = site.submit(task -> task.queue("scarce").handler("step"));

        Eventually.until("the other is done", () -> {
            steps.release(1);
            return done.contains(scarce);
        });

        assertThat(site.job(backlog).status()).isEqualTo(JobStatus.RUNNING);
        site.jobs.cancel(backlog);
        site.jobs.limit("scarce", null);
        steps.release(10);
    }

    @Test
    void aWorkerIsSetUpBeforeItBegins() {
        assertThatThrownBy(() -> site.worker(QUICK).start()).hasMessage("worker worker-1 has no handler");
        assertThatThrownBy(() -> site.worker(QUICK).handler("a:b", String.class, context -> ""))
                .hasMessageContaining("\"a:b\"");
        assertThatThrownBy(() -> site.worker(QUICK)
                        .handler("a", String.class, context -> "")
                        .handler("a", String.class, context -> ""))
                .hasMessageContaining("has a handler already");
        assertThatThrownBy(() -> QUICK.withConcurrency(0))
                .hasMessageContaining("concurrency must be 1 to 10000, not 0");
    }

    private boolean redisDoesNotAnswer() {
        try {
            site.tasks.keep(List.of(new Held("any", "any", new Fence(1, 1))), Duration.ofSeconds(1));
            return false;
        } catch (HotstateException away) {
            return true;
        }
    }

    private TaskView failed(String job) {
        assertThat(site.awaitEnd(job).status()).isEqualTo(JobStatus.FAILED);
        return site.only(job);
    }

    private static List<String> numbered(int from, int to) {
        return java.util.stream.IntStream.range(from, to)
                .mapToObj(i -> "line " + i)
                .toList();
    }

    private static boolean oneWaitsAlone() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("task-alone") && thread.getState() == Thread.State.WAITING);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
