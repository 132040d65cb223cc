package dev.hotstate.bench;

import dev.hotstate.audit.AuditOptions;
import dev.hotstate.audit.AuditTarget;
import dev.hotstate.audit.Auditor;
import dev.hotstate.audit.Progress;
import dev.hotstate.audit.report.Report;
import dev.hotstate.bench.audit.AuditLoop;
import dev.hotstate.bench.audit.Bystander;
import dev.hotstate.bench.audit.MixedKeys;
import dev.hotstate.bench.audit.RedisCli;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.DoubleSupplier;

/**
 * Keys a second of a whole audit, from the connection to the report, beside redis-cli; and what another client of the same
 * Redis notices of either.
 */
final class AuditBenchmark implements Benchmark {
    private static final int KEYS = 1_000_000;
    private static final int QUICK_KEYS = 20_000;

    /** A pass takes up to twenty seconds, so it is made in the first rounds only. */
    private static final int PASSES = 3;

    private static final Metric THROUGHPUT = new Metric("throughput", "keys/s");
    private static final Metric P99 = new Metric("p99", "us");
    private static final AuditOptions NAMES = AuditOptions.DEFAULT.withWatch(Duration.ZERO);

    private final Auditor auditor = new Auditor(InstantSource.fixed(Instant.EPOCH));

    @Override
    public String name() {
        return "audit";
    }

    @Override
    public String about() {
        return "reading a keyspace of mixed types beside redis-cli (goals: names and samples 5 times --bigkeys, all keys 1.3"
                + " times --memkeys, p99 of another client's GET at most doubled)";
    }

    @Override
    public void run(Run run) {
        RedisServer server = run.redis();
        int keys = run.quick() ? QUICK_KEYS : KEYS;
        run.say("writing " + keys + " keys of six families");
        MixedKeys.fill(server, keys);
        List<Subject> subjects = new ArrayList<>();
        boolean cli = RedisCli.isThere();
        if (!cli) {
            run.say("redis-cli is not there, so it is left out");
        }
        Subject names = passes("hotstate, names and samples", keys, () -> audit(server, NAMES));
        Subject all = passes("hotstate, all keys", keys, () -> audit(server, NAMES.inFull()));
        if (cli) {
            subjects.add(cli("redis-cli --bigkeys", keys, server, "--bigkeys"));
            subjects.add(names.against("redis-cli --bigkeys", THROUGHPUT));
            subjects.add(cli("redis-cli --memkeys", keys, server, "--memkeys"));
            subjects.add(all.against("redis-cli --memkeys", THROUGHPUT));
        } else {
            subjects.addAll(List.of(names, all));
        }
        subjects.add(new Subject("GET by itself", length -> Map.of(P99, p99(server, length))));
        subjects.add(beside("GET beside names and samples", server, false));
        subjects.add(beside("GET beside all keys", server, true));
        run.compare(subjects);
    }

    private Report audit(RedisServer server, AuditOptions options) {
        try {
            return auditor.audit(AuditTarget.of(server.uri()), options, Progress.NONE);
        } catch (InterruptedException unwanted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(unwanted);
        }
    }

    /** One pass each time, however long it takes. */
    private static Subject passes(String name, int keys, Runnable pass) {
        return timed(name, keys, true, () -> {
            long began = System.nanoTime();
            pass.run();
            return (System.nanoTime() - began) / 1e9;
        });
    }

    /** A process of its own has nothing to warm up. */
    private static Subject cli(String name, int keys, RedisServer server, String option) {
        return timed(name, keys, false, () -> RedisCli.seconds(server.port(), option));
    }

    private static Subject timed(String name, int keys, boolean warmsUp, DoubleSupplier seconds) {
        AtomicInteger turn = new AtomicInteger();
        List<Double> measured = new ArrayList<>();
        return new Subject(name, length -> {
            boolean warmUp = turn.getAndIncrement() == 0;
            if (warmUp ? warmsUp : measured.size() < PASSES) {
                double rate = keys / seconds.getAsDouble();
                if (!warmUp) {
                    measured.add(rate);
                }
            }
            measured.sort(null);
            return measured.isEmpty() ? Map.of() : Map.of(THROUGHPUT, measured.get(measured.size() / 2));
        });
    }

    private static Subject beside(String name, RedisServer server, boolean full) {
        return new Subject(
                        name, length -> Map.of(P99, AuditLoop.beside(server.port(), full, () -> p99(server, length))))
                .against("GET by itself", P99);
    }

    /** Four times as long as a slice: of 500 answers the worst five would be a matter of chance. */
    private static double p99(RedisServer server, Duration length) {
        return Bystander.p99(server.port(), MixedKeys.aKey(), length.multipliedBy(4));
    }
}
