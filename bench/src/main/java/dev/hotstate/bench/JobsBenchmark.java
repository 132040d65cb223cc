package dev.hotstate.bench;

import dev.hotstate.bench.drill.Report;
import dev.hotstate.bench.jobs.Bullmq;
import dev.hotstate.bench.jobs.JobSides;
import dev.hotstate.bench.jobs.JobSite;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.testkit.PostgresServer;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How many tasks a second, how long from task to task, and what a very large graph takes. */
final class JobsBenchmark implements Benchmark {
    private static final Metric THROUGHPUT = new Metric("throughput", "tasks/s");
    private static final Metric HOP = new Metric("hop", "us");
    private static final int WARM_UPS = 8;
    private static final String FLOWS = "hotstate, flows of 1 + 10";

    /** The short one is the goal's; in the long one it hardly counts how a worker begins. */
    private static final List<Integer> CHAINS = List.of(40, 400);

    @Override
    public String name() {
        return "jobs";
    }

    @Override
    public String about() {
        return "tasks of DAG jobs beside BullMQ (goals: twice its flow throughput with the archive on and drained, at most"
                + " half its time a hop, 100,000 tasks submitted within 10 s)";
    }

    @Override
    public boolean onlyWhenNamed() {
        return true;
    }

    @Override
    public void run(Run run) {
        PostgresServer postgres = run.closedLater(PostgresServer.start());
        int flows = run.quick() ? 20 : 2_000;
        besideBullmq(run, postgres, flows);
        large(run, postgres);
        onCluster(run, postgres, flows);
    }

    private static void besideBullmq(Run run, PostgresServer postgres, int flows) {
        RedisServer redis = run.redis();
        JobSite site = run.closedLater(new JobSite(redis, postgres.freshDatabase(), 1));
        int usual = Jobbing.Options.DEFAULTS.partitions();
        JobSite parted = run.closedLater(new JobSite(run.redis(), postgres.freshDatabase(), usual));
        List<Subject> subjects = new ArrayList<>(List.of(
                new Subject(FLOWS, length -> Map.of(THROUGHPUT, JobSides.flowsOf(site, flows))),
                new Subject(
                                FLOWS + ", " + usual + " partitions",
                                length -> Map.of(THROUGHPUT, JobSides.flowsOf(parted, flows)))
                        .against(FLOWS, THROUGHPUT)));
        CHAINS.forEach(tasks -> subjects.add(
                new Subject("hotstate, chain of " + tasks, length -> Map.of(HOP, JobSides.hopOf(site, tasks)))));
        CHAINS.forEach(tasks -> subjects.add(new Subject(
                        "hotstate, chain of " + tasks + ", virtual threads",
                        length -> Map.of(HOP, JobSides.hopOnVirtualThreadsOf(site, tasks)))
                .against("hotstate, chain of " + tasks, HOP)));
        Bullmq bullmq = bullmq(run, redis);
        if (bullmq != null) {
            subjects.add(new Subject(
                            "bullmq, flows of 1 + 10", length -> Map.of(THROUGHPUT, JobSides.flowsOf(bullmq, flows)))
                    .against(FLOWS, THROUGHPUT));
            CHAINS.forEach(tasks -> subjects.add(new Subject(
                            "bullmq, chain of " + tasks, length -> Map.of(HOP, JobSides.hopOf(bullmq, tasks)))
                    .against("hotstate, chain of " + tasks, HOP)));
        }
        run.say("one process with 32 tasks at once on either side; ours is done when PostgreSQL has it");
        warmUp(subjects, run.quick() ? 0 : WARM_UPS);
        run.compare(subjects);
    }

    /** Both sides compile while they run what runs often; ours takes some 200,000 tasks to be done with it. */
    private static void warmUp(List<Subject> subjects, int times) {
        for (int i = 0; i < times; i++) {
            subjects.forEach(subject -> subject.slice().run(Duration.ZERO));
        }
    }

    private static void large(Run run, PostgresServer postgres) {
        Report report = run.report();
        RedisServer redis = run.redis();
        JobSite site = run.closedLater(new JobSite(redis, postgres.freshDatabase(), 1));
        int layers = run.quick() ? 5 : 100;
        int width = run.quick() ? 20 : 1_000;
        int tasks = layers * width;
        String subject = "hotstate, one job of " + tasks + " tasks";
        long before = memory(redis);
        JobSides.Large large = JobSides.largeOf(site, layers, width);
        report.measured(subject, "submitted_after", "s", large.submitted().toMillis() / 1e3);
        report.measured(subject, "archived_after", "s", large.worked().toMillis() / 1e3);
        report.measured(
                subject, "throughput", "tasks/s", tasks / (large.worked().toNanos() / 1e9));
        report.measured(subject, "redis_memory", "bytes/task", (double) (memory(redis) - before) / tasks);
    }

    private static void onCluster(Run run, PostgresServer postgres, int flows) {
        RedisCluster cluster = run.cluster();
        JobSite one = run.closedLater(new JobSite(cluster, postgres.freshDatabase(), 1));
        String reference = "hotstate on Redis Cluster, partitions on 1 node";
        Subject alone = new Subject(reference, length -> Map.of(THROUGHPUT, JobSides.flowsOf(one, flows)));
        run.compare(List.of(alone));
        one.close();
        cluster.flushAll();
        JobSite three = run.closedLater(new JobSite(cluster, postgres.freshDatabase(), 3));
        run.compare(List.of(new Subject(
                "hotstate on Redis Cluster, partitions on 3 nodes",
                length -> Map.of(THROUGHPUT, JobSides.flowsOf(three, flows)))));
    }

    private static @Nullable Bullmq bullmq(Run run, RedisServer redis) {
        try {
            return run.closedLater(Bullmq.start(redis.port()));
        } catch (UncheckedIOException missing) {
            run.say("without its peer: " + missing.getMessage());
            return null;
        }
    }

    private static long memory(RedisServer redis) {
        return Long.parseLong(redis.info("memory").getOrDefault("used_memory", "0"));
    }
}
