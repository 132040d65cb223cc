package dev.hotstate.bench;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Script;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.testkit.RedisTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The same Lua, keys and arguments through {@link Script} and through Lettuce alone. What Script adds is a deadline, a
 * circuit breaker, safe repeats, declared keys, decoded replies and meters. Both make their key names anew at each call, as
 * features do.
 */
final class ScriptBenchmark implements Benchmark {
    static final Script<Long> VISIT =
            Script.of(ScriptBenchmark.class, "visit", List.of("visits", "seen"), reply -> reply.number(0));

    private static final Metric THROUGHPUT = new Metric("throughput", "calls/s");

    private final String name;
    private final String where;
    private final Function<Run, RedisTarget> servers;
    private final List<Partition> partitions;
    private final List<Integer> threads;

    private ScriptBenchmark(
            String name,
            String where,
            Function<Run, RedisTarget> servers,
            List<Partition> partitions,
            List<Integer> threads) {
        this.name = name;
        this.where = where;
        this.servers = servers;
        this.partitions = partitions;
        this.threads = threads;
    }

    static ScriptBenchmark onOneRedis() {
        return new ScriptBenchmark("script", "one Redis", Run::redis, Partition.spread("b", 1), List.of(1, 64, 256));
    }

    /** Two partitions a master, whose calls come in turn. */
    static ScriptBenchmark onCluster() {
        return new ScriptBenchmark(
                "script-cluster", "a 3+3 Cluster", Run::cluster, Partition.spread("b", 6), List.of(64));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String about() {
        return "what Script costs over Lettuce's EVALSHA of the same Lua, on " + where
                + " (goal: at least 0.9 of its throughput)";
    }

    @Override
    public void run(Run run) {
        RedisTarget target = servers.apply(run);
        Redis redis = run.connect(target);
        LettuceVisits lettuce = new LettuceVisits(run.lettuce(target), partitions);
        openConnections(redis, lettuce);
        List<Subject> subjects = new ArrayList<>();
        for (int crowd : threads) {
            String size = crowd == 1 ? ", 1 thread" : ", " + crowd + " threads";
            String reference = "lettuce async" + size;
            subjects.add(subject(reference, crowd, lettuce::async));
            subjects.add(subject("script" + size, crowd, visitor -> visit(redis, visitor))
                    .against(reference, THROUGHPUT));
            subjects.add(subject("lettuce sync" + size, crowd, lettuce::sync).against(reference, THROUGHPUT));
        }
        run.compare(subjects);
        requireSameWork(target);
    }

    static String id(int visitor) {
        return "visitor-" + visitor;
    }

    /** Calls each partition once, so that each side has its connections to all nodes before the crowd comes. */
    private void openConnections(Redis redis, LettuceVisits lettuce) {
        for (int visitor = 0; visitor < partitions.size(); visitor++) {
            lettuce.async(visitor);
            visit(redis, visitor);
        }
    }

    private static Subject subject(String name, int threads, Crowd.Call call) {
        Crowd crowd = new Crowd(threads, BenchKeys.VISITORS);
        return new Subject(name, length -> Map.of(THROUGHPUT, crowd.callsPerSecond(length, call)));
    }

    private long visit(Redis redis, int visitor) {
        Partition partition = partitions.get(visitor % partitions.size());
        return VISIT.run(
                redis, List.of(BenchKeys.VISITS.of(partition), BenchKeys.SEEN.of(partition)), List.of(id(visitor)));
    }

    /** Had the two sides sent different Lua, or worked on different keys, Redis would know of more than these. */
    private void requireSameWork(RedisTarget target) {
        int keys = target.keys().size();
        if (keys != 2 * partitions.size()) {
            throw new IllegalStateException("both sides must work on two keys a partition, not on " + keys);
        }
        for (RedisServer node : Lettuce.nodes(target)) {
            String scripts = node.info("memory").get("number_of_cached_scripts");
            if (!"1".equals(scripts)) {
                throw new IllegalStateException("both sides must send one script, not " + scripts);
            }
        }
    }
}
