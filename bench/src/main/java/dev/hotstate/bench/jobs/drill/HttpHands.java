package dev.hotstate.bench.jobs.drill;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.bench.jobs.drill.Calls.Answer;
import dev.hotstate.core.Fence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Workers over HTTP. Some complete on purpose only when another of them has the task already, and then must be refused:
 * whatever else they do, no end may count that is told after a later claim was answered.
 */
final class HttpHands implements AutoCloseable {
    private static final int HANDS = 6;
    private static final int AT_ONCE = 3;
    private static final String LEASE = "1s";
    private static final String WAIT = "1s";
    private static final Duration AGAIN = Duration.ofMillis(200);
    private static final Duration LOOK = Duration.ofMillis(50);

    /** A late one that nobody has taken from by then, because all was down, completes nevertheless. */
    private static final Duration LATEST = Duration.ofSeconds(20);

    private static final Duration LONGEST_TELLING = Duration.ofSeconds(20);

    private final Calls calls;
    private final ExecutorService hands = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, Fence> last = new ConcurrentHashMap<>();
    private final List<Told> told = new ArrayList<>();
    private volatile boolean over;

    /**
     * What a server said to the end of an attempt.
     *
     * @param later the greatest fence under which the task was known to be claimed when the end was sent
     */
    record Told(String job, String task, Fence fence, Fence later, int status) {
        boolean counted() {
            return status < 300;
        }

        boolean isLate() {
            return later.compareTo(fence) > 0;
        }
    }

    HttpHands(Calls calls) {
        this.calls = calls;
    }

    void begin() {
        for (int i = 0; i < HANDS; i++) {
            String name = "hand-" + i;
            hands.execute(() -> work(name));
        }
    }

    synchronized List<Told> told() {
        return List.copyOf(told);
    }

    private void work(String name) {
        String wanted = Calls.text(
                Map.of("worker", name, "queues", List.of(Plan.HANDS), "max", AT_ONCE, "lease", LEASE, "wait", WAIT));
        try {
            while (!over) {
                Optional<Answer> answer = calls.post("/tasks/claim", wanted);
                if (answer.isPresent() && answer.get().status() == 200) {
                    answer.get().json().path("items").forEach(this::take);
                } else {
                    Thread.sleep(AGAIN);
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void take(JsonNode claimed) {
        Fence fence = Fence.parse(claimed.required("fence").asText());
        String job = claimed.required("job_id").asText();
        String task = claimed.required("task_id").asText();
        last.merge(key(job, task), fence, (one, other) -> one.compareTo(other) > 0 ? one : other);
        Instruction instruction = Calls.read(claimed.required("input"), Instruction.class);
        Conduct conduct =
                Conduct.of(instruction, job, task, claimed.required("attempt").asInt());
        if (!over) {
            hands.execute(() -> perform(job, task, fence, instruction, conduct));
        }
    }

    private void perform(String job, String task, Fence fence, Instruction instruction, Conduct conduct) {
        try {
            Thread.sleep(instruction.millis());
            switch (conduct) {
                case SUCCEED -> complete(job, task, fence);
                case FAIL -> fail(job, task, fence, true);
                case FAIL_FOR_GOOD -> fail(job, task, fence, false);
                case DAWDLE -> {
                    awaitAnother(job, task, fence);
                    complete(job, task, fence);
                }
                case VANISH -> {}
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAnother(String job, String task, Fence fence) throws InterruptedException {
        long begin = System.nanoTime();
        while (!over
                && lastOf(job, task, fence).compareTo(fence) <= 0
                && System.nanoTime() - begin < LATEST.toNanos()) {
            Thread.sleep(LOOK);
        }
        // The other one may be done by now, or not.
        Thread.sleep(ThreadLocalRandom.current().nextInt(100));
    }

    private void complete(String job, String task, Fence fence) throws InterruptedException {
        tell(job, task, fence, "complete", Map.of("fence", fence.toString(), "result", Plan.result(job, task)));
    }

    private void fail(String job, String task, Fence fence, boolean retryable) throws InterruptedException {
        tell(
                job,
                task,
                fence,
                "fail",
                Map.of("fence", fence.toString(), "error", "by its instruction", "retryable", retryable));
    }

    /** Until a server has decided, or it is of no use any more. */
    private void tell(String job, String task, Fence fence, String verb, Map<String, Object> body)
            throws InterruptedException {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < LONGEST_TELLING.toNanos()) {
            Fence later = lastOf(job, task, fence);
            Optional<Answer> answer = calls.post("/jobs/" + job + "/tasks/" + task + "/" + verb, Calls.text(body));
            if (answer.isPresent() && answer.get().isDecided()) {
                note(new Told(job, task, fence, later, answer.get().status()));
                return;
            }
            Thread.sleep(AGAIN);
        }
    }

    private Fence lastOf(String job, String task, Fence fence) {
        return last.getOrDefault(key(job, task), fence);
    }

    private synchronized void note(Told end) {
        told.add(end);
    }

    private static String key(String job, String task) {
        return job + ":" + task;
    }

    /** Those that are late on purpose still tell their end. */
    @Override
    public void close() {
        over = true;
        hands.shutdown();
        try {
            if (!hands.awaitTermination(LONGEST_TELLING.toSeconds(), TimeUnit.SECONDS)) {
                hands.shutdownNow();
            }
        } catch (InterruptedException hurried) {
            hands.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
