package dev.hotstate.bench.jobs.drill;

import dev.hotstate.bench.jobs.drill.Calls.Answer;
import dev.hotstate.jobs.graph.JobDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Submits jobs. One whose submission was not answered, or put off, is submitted again under its id until it is accepted. */
final class Submitter {
    private static final int LONGEST_PAUSE_MS = 400;
    private static final Duration AGAIN = Duration.ofMillis(300);

    private final Calls calls;
    private final Plans plans;
    private final Random chance;
    private final List<Plan> accepted = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final AtomicInteger repeated = new AtomicInteger();

    Submitter(Calls calls, long seed) {
        this.calls = calls;
        this.plans = new Plans(seed);
        this.chance = new Random(seed);
    }

    /** For so long; returns when the last one is accepted. */
    void submitFor(Duration length) throws InterruptedException {
        long begin = System.nanoTime();
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            while (System.nanoTime() - begin < length.toNanos()) {
                Plan plan = plans.next();
                clients.execute(() -> submit(plan));
                Thread.sleep(chance.nextInt(LONGEST_PAUSE_MS));
            }
        }
    }

    synchronized List<Plan> accepted() {
        return List.copyOf(accepted);
    }

    /** What servers said to those that they will never take: there must be none. */
    synchronized List<String> refused() {
        return List.copyOf(refused);
    }

    int repeated() {
        return repeated.get();
    }

    private void submit(Plan plan) {
        String document = JobDocument.write(plan.job());
        try {
            Optional<Answer> answer = calls.post("/jobs", document);
            while (answer.isEmpty() || !answer.get().isDecided()) {
                repeated.incrementAndGet();
                Thread.sleep(AGAIN);
                answer = calls.post("/jobs", document);
            }
            note(plan, answer.get());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void note(Plan plan, Answer answer) {
        if (answer.status() < 300) {
            accepted.add(plan);
        } else {
            refused.add(plan.job().id() + ": " + answer);
        }
    }
}
