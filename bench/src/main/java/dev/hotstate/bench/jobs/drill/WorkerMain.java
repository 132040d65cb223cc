package dev.hotstate.bench.jobs.drill;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.jobs.JobKeys;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.jobs.work.NotRetryableException;
import dev.hotstate.jobs.work.TaskContext;
import dev.hotstate.jobs.work.Worker;
import dev.hotstate.jobs.work.WorkerOptions;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseOptions;
import dev.hotstate.store.PostgresLedger;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * A worker in Java, in a process of its own, as an application would have it: with jobs as a library. Its one handler does
 * what its task's {@link Instruction} says, and leaves {@link Traces}.
 */
public final class WorkerMain {
    static final String READY = "the worker is ready";

    /** What servers use if nothing else is said. */
    private static final String PREFIX = "dev:hotstate";

    private static final int CONCURRENCY = 6;
    private static final Duration LEASE = Duration.ofSeconds(2);

    /** Longer than a task's timeout and a lease. */
    private static final Duration TOO_LONG = Plans.TIMEOUT.plusSeconds(1);

    /** Between a commit and the word to Redis, so that some are killed there. */
    private static final int LONGEST_PAUSE_MS = 60;

    private static final InstantSource CLOCK = InstantSource.system();

    private final String name;
    /** Of its own: what is noted there is beside the transaction that a thread is in. */
    private final Database notes;

    private final Jobbing jobbing;

    private WorkerMain(String name, Redis redis, Database database, Database notes) {
        this.name = name;
        this.notes = notes;
        var meters = new SimpleMeterRegistry();
        Incarnations incarnations =
                new Incarnations(redis, new PostgresLedger(database), Incarnations.Options.of(name), state -> {});
        this.jobbing = Jobbing.start(
                new Jobbing.Ground(
                        redis, database, incarnations, new Events(redis, List.of(Jobbing.READY_TOPIC)), meters, CLOCK),
                Jobbing.Options.DEFAULTS);
    }

    /** Works until it is killed, or until whoever started it is gone. Arguments: Redis, PostgreSQL. */
    public static void main(String[] args) throws IOException {
        String name = "worker-" + ProcessHandle.current().pid();
        Redis redis = Redis.connect(
                RedisOptions.of(args[0]),
                Keyspace.of(PREFIX, List.of(CoreKeys.SERVICE, JobKeys.SERVICE)),
                new SimpleMeterRegistry());
        DatabaseOptions postgres = DatabaseOptions.of(args[1]);
        new WorkerMain(
                        name,
                        redis,
                        Database.open(postgres.withMaxConnections(CONCURRENCY + 8)),
                        Database.open(postgres.withMaxConnections(CONCURRENCY)))
                .start();
        System.out.println(READY);
        // Nothing is ever said to it: its input ends with the drill.
        int end = System.in.read();
        Runtime.getRuntime().halt(end);
    }

    private void start() {
        WorkerOptions options =
                WorkerOptions.named(name).withConcurrency(CONCURRENCY).withLease(LEASE);
        Worker.of(jobbing.tasks(), options)
                .handler(Plan.HANDLER, Instruction.class, String.class, this::run)
                .start();
    }

    private @Nullable String run(Instruction instruction, TaskContext context) throws Exception {
        Instant began = CLOCK.instant();
        Conduct conduct = Conduct.of(instruction, context.jobId(), context.taskId(), context.attempt());
        if (conduct == Conduct.FAIL_FOR_GOOD && instruction.fate() == Fate.DOOMED) {
            throw new NotRetryableException("by its instruction, before it wrote anything");
        }
        String result = context.transactionally(
                jobbing.effects(), String.class, connection -> write(connection, began, conduct, instruction, context));
        Thread.sleep(ThreadLocalRandom.current().nextInt(LONGEST_PAUSE_MS));
        return result;
    }

    private String write(
            Connection connection, Instant began, Conduct conduct, Instruction instruction, TaskContext context)
            throws SQLException, InterruptedException {
        Traces.Who who = new Traces.Who(
                context.jobId(),
                context.taskId(),
                context.attempt(),
                context.fence().toString(),
                name);
        notes.useHandle(beside -> Traces.attempted(beside.getConnection(), who, began));
        Thread.sleep(instruction.millis() / 2);
        Traces.affect(connection, who, began, flaw(instruction, context));
        Thread.sleep(instruction.millis() / 2);
        switch (conduct) {
            case FAIL -> throw new IllegalStateException("by its instruction");
            case FAIL_FOR_GOOD -> throw new NotRetryableException("by its instruction");
            case DAWDLE -> sleepThrough(TOO_LONG);
            case SUCCEED, VANISH -> {}
        }
        return Plan.result(who.job(), who.task());
    }

    /** Whoever asks it to stop is not heard. */
    private static void sleepThrough(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - System.nanoTime()) {
            try {
                Thread.sleep(Duration.ofNanos(left));
            } catch (InterruptedException unheard) {
                // That is the point.
            }
        }
    }

    /** What its needs have given must have come along. */
    private static @Nullable String flaw(Instruction instruction, TaskContext context) {
        for (String need : instruction.given()) {
            Optional<String> given = context.result(need, String.class);
            if (!given.equals(Optional.of(Plan.result(context.jobId(), need)))) {
                return "the result of " + need + " was " + given.orElse("missing");
            }
        }
        return null;
    }
}
