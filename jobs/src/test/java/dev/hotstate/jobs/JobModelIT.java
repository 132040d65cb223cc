package dev.hotstate.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskSpec;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.jobs.graph.Trigger;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.Testkit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Random graphs under random workers: endings of every kind, several at once, twice and too late; leases that run out;
 * pauses; a clock that jumps. Each job must come to what {@link Oracle} says, and nothing may begin before its rule allows.
 */
@ExtendWith(Testkit.class)
class JobModelIT {
    /** To repeat a run that failed: -Djobs.model.seed=… with the number that it printed. */
    private static final String SEED = "jobs.model.seed";

    /** Leases that one call ends, and so that may run out at once here. */
    private static final int MOST_HELD = 80;

    private static final int MOST_STEPS = 3_000;

    /** @param together how many tasks are claimed, and half as many ended, in a call at most */
    private record Shape(int rounds, int jobs, int mostTasks, int together) {}

    private static final Shape LARGE = new Shape(20, 4, 40, 6);
    private static final Shape SMALL = new Shape(25, 80, 6, 40);

    private final RedisServer redis;

    JobModelIT(RedisServer redis) {
        this.redis = redis;
    }

    @Test
    void everyJobEndsAsTheRulesSayWhateverItsWorkersDo() {
        long seed = Long.getLong(SEED, System.nanoTime());
        System.out.println("Random graphs with -D" + SEED + "=" + seed);
        try (RedisBench bench = new RedisBench(redis)) {
            for (Shape shape : List.of(LARGE, SMALL)) {
                for (int round = 0; round < shape.rounds; round++) {
                    new Run(bench, shape, seed++).toTheEnd();
                }
            }
        }
    }

    /** What the model knows of a job. */
    private record Modelled(Flow flow, Map<String, TaskSpec> specs, Oracle oracle, Map<String, Integer> used) {}

    private static final class Holding {
        final Claimed claimed;
        Instant until;

        Holding(Claimed claimed) {
            this.claimed = claimed;
            this.until = claimed.leaseUntil();
        }
    }

    private static final class Run {
        private final RedisBench bench;
        private final Shape shape;
        private final long seed;
        private final Set<String> paused = new HashSet<>();
        private final Random random;
        private final Map<String, Modelled> jobs = new HashMap<>();
        private final List<Holding> held = new ArrayList<>();
        private final List<Held> over = new ArrayList<>();
        private final Set<Held> completed = new HashSet<>();
        private int successes;

        Run(RedisBench bench, Shape shape, long seed) {
            this.shape = shape;
            this.bench = bench;
            this.seed = seed;
            this.random = new Random(seed);
        }

        void toTheEnd() {
            int before = succeededInArchive();
            for (int i = 0; i < shape.jobs; i++) {
                Modelled job = modelled("s" + seed + "-" + i);
                jobs.put(job.flow.id, job);
                bench.load(job.flow);
            }
            int steps = 0;
            while (jobs.values().stream().anyMatch(job -> !job.oracle.isOver())) {
                assertThat(steps++).as("steps of seed " + seed).isLessThan(MOST_STEPS);
                step();
            }
            jobs.values().forEach(this::compare);
            assertThat(succeededInArchive() - before)
                    .as("successes of seed " + seed)
                    .isEqualTo(successes);
        }

        private void step() {
            int dice = random.nextInt(100);
            if (dice < 30) {
                take(bench.claim(1 + random.nextInt(room(shape.together))));
            } else if (dice < 70 && !held.isEmpty()) {
                endSome();
            } else if (dice < 75 && !over.isEmpty()) {
                Held late = pick(over);
                assertThat(bench.end(new Ending.Completed(late, null)))
                        .isEqualTo(completed.contains(late) ? Ended.REPEATED : Ended.STALE);
            } else if (dice < 80 && !held.isEmpty()) {
                keep(pick(held));
            } else if (dice < 84) {
                String job = pick(List.copyOf(jobs.keySet()));
                bench.control.pause(job, 1);
                paused.add(job);
            } else if (dice < 92) {
                paused.forEach(job -> bench.control.resume(job, 1));
                paused.clear();
            } else {
                bench.clock.advance(Duration.ofSeconds(random.nextInt(held.isEmpty() ? 120 : 25)));
                lapse();
            }
        }

        private int room(int wanted) {
            return Math.max(1, Math.min(wanted, MOST_HELD - held.size()));
        }

        private void take(List<Claimed> claimed) {
            for (Claimed one : claimed) {
                Modelled job = jobs.get(one.jobId());
                TaskSpec spec = job.specs.get(one.taskId());
                assertThat(job.oracle.mayBegin(spec)).as(one + " may begin").isTrue();
                assertThat(job.oracle.states()).doesNotContainKey(one.taskId());
                assertThat(one.attempt()).isEqualTo(job.used.getOrDefault(one.taskId(), 0) + 1);
                assertThat(one.last()).isEqualTo(one.attempt() > spec.maxRetries());
                assertThat(held).noneMatch(other -> same(other.claimed, one));
                held.add(new Holding(one));
            }
        }

        /** Some endings in one call, one of them perhaps twice, and perhaps with a wish for more. */
        private void endSome() {
            List<Ending> endings = new ArrayList<>();
            List<Ended> expected = new ArrayList<>();
            for (int i = random.nextInt(shape.together / 2 + 1); i >= 0 && !held.isEmpty(); i--) {
                Claimed one = held.remove(random.nextInt(held.size())).claimed;
                Ending ending = ending(one);
                endings.add(ending);
                expected.add(Ended.DONE);
                if (random.nextInt(8) == 0) {
                    endings.add(ending);
                    expected.add(Ended.REPEATED);
                }
                over.add(one.held());
                count(one, ending);
            }
            Wanted next = random.nextBoolean()
                    ? new Wanted(
                            "worker-2",
                            List.of(RedisBench.DEFAULT),
                            room(shape.together / 2),
                            RedisBench.LEASE,
                            Duration.ZERO)
                    : null;
            Tasks.Advanced advanced = bench.tasks.end(endings, next);
            assertThat(advanced.endings()).isEqualTo(expected);
            take(advanced.next());
        }

        private Ending ending(Claimed one) {
            int dice = random.nextInt(100);
            if (dice < 65) {
                return new Ending.Completed(one.held(), random.nextBoolean() ? "1" : null);
            }
            return dice < 72
                    ? new Ending.Released(one.held())
                    : new Ending.Failed(one.held(), "broken", random.nextInt(5) > 0);
        }

        private void count(Claimed one, Ending ending) {
            if (ending instanceof Ending.Completed) {
                completed.add(one.held());
                succeeded(one);
            } else if (ending instanceof Ending.Failed failed) {
                if (failed.retryable() && !one.last()) {
                    used(one);
                } else {
                    jobs.get(one.jobId()).oracle.ended(one.taskId(), TaskStatus.FAILED);
                }
            }
        }

        /** Leases that have run out spend an attempt; after the last one PostgreSQL would say what became of it. */
        private void lapse() {
            bench.tender.tend();
            Instant now = bench.clock.instant();
            for (Holding holding : List.copyOf(held)) {
                if (!holding.until.isAfter(now)) {
                    held.remove(holding);
                    over.add(holding.claimed.held());
                    if (!holding.claimed.last()) {
                        used(holding.claimed);
                    }
                }
            }
            for (Lapsed lapsed : bench.lapsed.waiting(bench.partition, 100)) {
                Modelled job = jobs.get(lapsed.jobId());
                if (random.nextBoolean()) {
                    bench.lapsed.succeeded(lapsed, Optional.of("2"));
                    job.oracle.ended(lapsed.taskId(), TaskStatus.SUCCEEDED);
                    successes++;
                } else {
                    bench.lapsed.failed(lapsed);
                    job.oracle.ended(lapsed.taskId(), TaskStatus.FAILED);
                }
            }
        }

        private void keep(Holding holding) {
            holding.until = bench.tasks
                    .keep(List.of(holding.claimed.held()), RedisBench.LEASE)
                    .getFirst()
                    .until()
                    .orElseThrow();
        }

        private void succeeded(Claimed one) {
            jobs.get(one.jobId()).oracle.ended(one.taskId(), TaskStatus.SUCCEEDED);
            successes++;
        }

        private void used(Claimed one) {
            jobs.get(one.jobId()).used.merge(one.taskId(), 1, Integer::sum);
        }

        private void compare(Modelled job) {
            assertThat(bench.states(job.flow)).as(job.flow.id).isEqualTo(job.oracle.states());
            JobStatus expected =
                    job.oracle.states().containsValue(TaskStatus.FAILED) ? JobStatus.FAILED : JobStatus.SUCCEEDED;
            LiveJob live = bench.job(job.flow.id);
            assertThat(live.status()).as(job.flow.id).isEqualTo(expected);
            Map<TaskStatus, Integer> counts = new HashMap<>();
            job.oracle.states().values().forEach(state -> counts.merge(state, 1, Integer::sum));
            live.counts()
                    .forEach((state, count) ->
                            assertThat(count).as(job.flow.id + " " + state).isEqualTo(counts.getOrDefault(state, 0)));
        }

        private int succeededInArchive() {
            return (int) bench.archived().stream()
                    .filter(one -> !one.taskId().isEmpty() && one.state().equals("SUCCEEDED"))
                    .count();
        }

        private Modelled modelled(String id) {
            Flow flow = new Flow(id);
            int tasks = 1 + random.nextInt(shape.mostTasks);
            for (int i = 0; i < tasks; i++) {
                int retries = random.nextInt(3);
                Trigger trigger = random.nextInt(3) > 0
                        ? Trigger.ALL_SUCCESS
                        : Trigger.values()[random.nextInt(Trigger.values().length)];
                flow.task(
                        "t" + i,
                        task -> Flow.retries(retries)
                                .apply(Flow.trigger(trigger).apply(task)),
                        needs(i));
            }
            List<TaskSpec> specs = flow.cells().stream().map(TaskCell::spec).toList();
            Map<String, TaskSpec> byId = new HashMap<>();
            specs.forEach(spec -> byId.put(spec.id(), spec));
            return new Modelled(flow, byId, new Oracle(specs), new HashMap<>());
        }

        /** Some of the tasks before it. */
        private String[] needs(int task) {
            int most = random.nextInt(4);
            return IntStream.range(0, most)
                    .filter(any -> task > 0)
                    .map(any -> random.nextInt(task))
                    .distinct()
                    .mapToObj(need -> "t" + need)
                    .toArray(String[]::new);
        }

        private <T> T pick(List<T> from) {
            return from.get(random.nextInt(from.size()));
        }

        private static boolean same(Claimed one, Claimed other) {
            return one.jobId().equals(other.jobId()) && one.taskId().equals(other.taskId());
        }
    }
}
