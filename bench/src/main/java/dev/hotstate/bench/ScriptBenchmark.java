package dev.hotstate.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hotstate.core.Partition;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Script;
import dev.hotstate.testkit.RedisServer;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * The same Lua, keys and arguments through {@link Script} and through Lettuce alone. What Script adds is a deadline, a
 * circuit breaker, safe repeats, declared keys, decoded replies and meters. Both make their key names anew at each call, as
 * features do.
 */
final class ScriptBenchmark implements Benchmark {
    static final Script<Long> VISIT =
            Script.of(ScriptBenchmark.class, "visit", List.of("visits", "seen"), reply -> reply.number(0));

    private static final Partition PARTITION = new Partition("b0");
    private static final int[] THREADS = {1, 64, 256};
    private static final Metric THROUGHPUT = new Metric("throughput", "calls/s");

    @Override
    public String name() {
        return "script";
    }

    @Override
    public String about() {
        return "what Script costs over Lettuce's EVALSHA of the same Lua (goal: at least 0.9 of its throughput)";
    }

    @Override
    public void run(Run run) {
        RedisServer server = run.redis();
        Redis redis = run.connect(server);
        StatefulRedisConnection<String, String> lettuce = run.lettuce(server);
        String sha = lettuce.sync().scriptLoad(lua());
        run.compare(subjects(redis, lettuce, sha));
        requireOneScript(server);
    }

    private static List<Subject> subjects(Redis redis, StatefulRedisConnection<String, String> lettuce, String sha) {
        List<Subject> subjects = new ArrayList<>();
        for (int threads : THREADS) {
            String size = threads == 1 ? ", 1 thread" : ", " + threads + " threads";
            subjects.add(subject("lettuce async" + size, threads, id -> async(lettuce, sha, id)));
            subjects.add(subject("script" + size, threads, id -> script(redis, id))
                    .against("lettuce async" + size, THROUGHPUT));
            subjects.add(subject("lettuce sync" + size, threads, id -> sync(lettuce, sha, id))
                    .against("lettuce async" + size, THROUGHPUT));
        }
        return subjects;
    }

    private static Subject subject(String name, int threads, Crowd.Call call) {
        return new Subject(
                name,
                length -> Map.of(THROUGHPUT, new Crowd(threads, BenchKeys.VISITORS).callsPerSecond(length, call)));
    }

    private static long script(Redis redis, String id) {
        return VISIT.run(redis, List.of(BenchKeys.VISITS.of(PARTITION), BenchKeys.SEEN.of(PARTITION)), List.of(id));
    }

    private static long async(StatefulRedisConnection<String, String> lettuce, String sha, String id) {
        try {
            return count(lettuce.async()
                    .<List<Object>>evalsha(sha, ScriptOutputType.MULTI, keys(PARTITION.tag()), id)
                    .get());
        } catch (InterruptedException | ExecutionException failed) {
            throw new IllegalStateException("Lettuce's call failed", failed);
        }
    }

    private static long sync(StatefulRedisConnection<String, String> lettuce, String sha, String id) {
        return count(lettuce.sync().evalsha(sha, ScriptOutputType.MULTI, keys(PARTITION.tag()), id));
    }

    /** Joined by hand, as one does without declared keys. */
    private static String[] keys(String tag) {
        return new String[] {"bench:hotstate:{" + tag + "}:bench:visits", "bench:hotstate:{" + tag + "}:bench:seen"};
    }

    private static long count(List<Object> reply) {
        return (Long) reply.get(1);
    }

    private static String lua() {
        try (InputStream file = ScriptBenchmark.class.getResourceAsStream("visit.lua")) {
            if (file == null) {
                throw new IllegalStateException("visit.lua is not in the jar");
            }
            return new String(file.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Had the two sides sent different Lua, or worked on different keys, Redis would know of more than these. */
    private static void requireOneScript(RedisServer server) {
        String scripts = server.info("memory").get("number_of_cached_scripts");
        int keys = server.keys().size();
        if (!"1".equals(scripts) || keys != 2) {
            throw new IllegalStateException(
                    "both sides must run one script on two keys, not " + scripts + " on " + keys);
        }
    }
}
