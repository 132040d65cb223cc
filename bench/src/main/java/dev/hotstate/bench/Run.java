package dev.hotstate.bench;

import static java.util.Objects.requireNonNull;

import dev.hotstate.bench.drill.Report;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.testkit.RedisCluster;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.RedisTarget;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a benchmark is given for one run: servers of its own, and the comparison of its subjects. */
public final class Run implements AutoCloseable {
    private final Benchmark benchmark;
    private final Pace pace;
    private final long seed;
    private final int largest;
    private final PrintWriter out;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final List<Figure> figures = new ArrayList<>();

    Run(Benchmark benchmark, Pace pace, long seed, PrintWriter out) {
        this(benchmark, pace, seed, Integer.MAX_VALUE, out);
    }

    Run(Benchmark benchmark, Pace pace, long seed, int largest, PrintWriter out) {
        this.benchmark = benchmark;
        this.pace = pace;
        this.seed = seed;
        this.largest = largest;
        this.out = out;
    }

    /** Whether only to see that it works: sizes may be smaller, and are named as what they are. */
    public boolean quick() {
        return pace.equals(Pace.QUICK);
    }

    /** What chance begins with: the same makes a run of a drill much the same. */
    public long seed() {
        return seed;
    }

    /** The largest size to measure, where a benchmark has several. */
    public int largest() {
        return largest;
    }

    /**
     * A Redis of its own, as ours runs in production: append-only file, synced every second. It is not rewritten meanwhile,
     * since a rewrite would land on one subject's slice and not on the other's.
     */
    public RedisServer redis() {
        RedisServer redis = closedLater(RedisServer.start());
        persist(List.of(redis), "Redis", "a process of its own");
        return redis;
    }

    /** Three masters and three replicas of its own, persisted as {@link #redis} is. */
    public RedisCluster cluster() {
        RedisCluster cluster = closedLater(RedisCluster.start());
        persist(cluster.nodes(), "Redis Cluster", "six processes of its own");
        return cluster;
    }

    /** Our side's way to it, with default options but for patience: a machine that stalls for a moment ends no run. */
    public Redis connect(RedisTarget target) {
        RedisOptions options = RedisOptions.of(target.uri()).withTimeout(Duration.ofSeconds(5), Duration.ofSeconds(20));
        return closedLater(Redis.connect(options, BenchKeys.KEYSPACE, new SimpleMeterRegistry()));
    }

    /** The peers' way to it. */
    Lettuce lettuce(RedisTarget target) {
        return closedLater(Lettuce.connect(target));
    }

    /** Closes it at the end of the run, before what was opened earlier. */
    public <T extends AutoCloseable> T closedLater(T resource) {
        opened.push(resource);
        return resource;
    }

    /** A line for the reader of the table, about what was set up. */
    public void say(String line) {
        out.println("  " + line);
        out.flush();
    }

    /** Measures the subjects in interleaved rounds; each metric's median becomes a figure of the result. */
    public void compare(List<Subject> subjects) {
        say(subjects.size() + " subjects in turn, " + pace.rounds() + " rounds of "
                + pace.slice().toMillis() + " ms each after a warm-up: about "
                + pace.of(subjects.size()).toSeconds() + " s");
        Map<String, Map<Metric, Double>> medians = new Rounds(pace).medians(subjects);
        for (Subject subject : subjects) {
            requireNonNull(medians.get(subject.name()))
                    .forEach((metric, value) -> figures.add(figure(subject, metric, value, medians)));
        }
    }

    /** For what has nothing to take turns with: each value is a figure of its own. */
    Report report() {
        return new Report() {
            @Override
            public void say(String line) {
                Run.this.say(line);
            }

            @Override
            public void measured(String subject, String metric, String unit, double value) {
                // Said at once too: what comes after it may take minutes, and may fail.
                Run.this.say(String.format(Locale.ROOT, "%s: %s %,.1f %s", subject, metric, value, unit));
                figures.add(new Figure(benchmark.name(), subject, metric, value, unit, null, null));
            }
        };
    }

    List<Figure> figures() {
        return List.copyOf(figures);
    }

    private void persist(List<RedisServer> nodes, String what, String where) {
        for (RedisServer node : nodes) {
            node.commands().configSet("auto-aof-rewrite-percentage", "0");
            node.commands().configSet("appendfsync", "everysec");
            node.commands().configSet("appendonly", "yes");
        }
        RedisServer first = nodes.getFirst();
        String version = first.info("server").get("redis_version");
        String allocator = first.info("memory").get("mem_allocator");
        say("on " + what + " " + version + " with " + allocator + ", " + where
                + " here: AOF on, everysec, not rewritten meanwhile");
    }

    private Figure figure(Subject subject, Metric metric, double value, Map<String, Map<Metric, Double>> medians) {
        String reference = subject.references().get(metric);
        Double ratio = null;
        if (reference != null) {
            Map<Metric, Double> others = medians.get(reference);
            Double other = others == null ? null : others.get(metric);
            if (other == null) {
                throw new IllegalArgumentException(
                        subject.name() + " is set against " + reference + ", which has no " + metric.name());
            }
            ratio = value / other;
        }
        return new Figure(benchmark.name(), subject.name(), metric.name(), value, metric.unit(), reference, ratio);
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            AutoCloseable last = opened.pop();
            try {
                last.close();
            } catch (Exception failed) {
                say("could not close " + last + ": " + failed.getMessage());
            }
        }
    }
}
