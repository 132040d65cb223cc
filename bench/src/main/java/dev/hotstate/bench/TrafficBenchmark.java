package dev.hotstate.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.hotstate.testkit.RedisServer;
import dev.hotstate.traffic.Checkpoints;
import dev.hotstate.traffic.Recorder;
import dev.hotstate.traffic.Traffic;
import dev.hotstate.traffic.TrafficOptions;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;

/**
 * What counting a request costs: the CPU time of the whole process for each, recorded by eight threads, and the commands
 * that Redis gets for a second's worth of requests. The peer counts each request in Redis, as the document of the keys has
 * it.
 */
final class TrafficBenchmark implements Benchmark {
    /** Templates of routes are constants of an application. */
    private static final List<String> ROUTES =
            IntStream.range(0, 20).mapToObj(i -> "/api/things-" + i).toList();

    private static final int THREADS = 8;
    private static final Metric CPU = new Metric("cpu_time", "ns/request");
    private static final Metric COMMANDS = new Metric("redis_commands", "commands/second of traffic");

    @Override
    public String name() {
        return "traffic";
    }

    @Override
    public String about() {
        return "what a recorded request costs (goals: under 200 ns of CPU time at 8 threads; as many commands to Redis for"
                + " a million requests a second as for a thousand)";
    }

    @Override
    public void run(Run run) {
        RedisServer server = run.redis();
        Traffic traffic = run.closedLater(Traffic.start(
                run.connect(server), TrafficOptions.of("bench", InstantSource.system()), Checkpoints.none()));
        DocumentPipeline document = new DocumentPipeline(run.lettuce(server));
        Recorder recorder = traffic.recorder();
        List<Subject> subjects = new ArrayList<>(List.of(
                new Subject("hotstate, 8 threads", length -> cpu(length, i -> record(recorder, i))),
                new Subject("document's pipeline, 8 threads", length -> cpu(length, document::record))
                        .against("hotstate, 8 threads", CPU)));
        for (int rate : run.quick() ? List.of(1_000, 10_000) : List.of(1_000, 100_000, 1_000_000)) {
            Subject paced = new Subject(
                    "hotstate, " + rate + " requests/s",
                    length -> commands(
                            server, Set.of("eval", "evalsha"), length, () -> secondOf(traffic, recorder, rate)));
            subjects.add(rate == 1_000 ? paced : paced.against("hotstate, 1000 requests/s", COMMANDS));
        }
        subjects.add(new Subject(
                        "document's pipeline, 1000 requests/s",
                        length -> commands(server, DocumentPipeline.COMMANDS, length, () -> document.recordMany(1_000)))
                .against("hotstate, 1000 requests/s", COMMANDS));
        run.compare(subjects);
    }

    /** The route of a request; the same on both sides. */
    static String route(int request) {
        return ROUTES.get(request % ROUTES.size());
    }

    private static void record(Recorder recorder, int request) {
        recorder.began();
        recorder.record("GET", route(request), 200, Duration.ofNanos(1_000_000 + request % 1_000_000));
        recorder.ended();
    }

    private static void secondOf(Traffic traffic, Recorder recorder, int requests) {
        for (int i = 0; i < requests; i++) {
            record(recorder, i);
        }
        traffic.flush();
    }

    @FunctionalInterface
    private interface Recording {
        void of(int request);
    }

    /** Of the whole process: what happens in other threads for a request counts with it. */
    private static Map<Metric, Double> cpu(Duration length, Recording recording) {
        var process = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        var requests = new LongAdder();
        long before = process.getProcessCpuTime();
        long end = System.nanoTime() + length.toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int first = i;
            threads.add(Thread.ofPlatform().start(() -> requests.add(recordUntil(end, first, recording))));
        }
        threads.forEach(TrafficBenchmark::await);
        return Map.of(CPU, (double) (process.getProcessCpuTime() - before) / requests.sum());
    }

    private static long recordUntil(long end, int first, Recording recording) {
        int request = first;
        do {
            for (int i = 0; i < 100; i++) {
                recording.of(request++);
            }
        } while (System.nanoTime() - end < 0);
        return request - first;
    }

    private static Map<Metric, Double> commands(
            RedisServer server, Set<String> commands, Duration length, Runnable secondOfTraffic) {
        CommandTime before = CommandTime.of(server, commands);
        long end = System.nanoTime() + length.toNanos();
        long seconds = 0;
        do {
            secondOfTraffic.run();
            seconds++;
        } while (System.nanoTime() - end < 0);
        return Map.of(
                COMMANDS,
                (double) CommandTime.of(server, commands).minus(before).calls() / seconds);
    }

    private static void await(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while measuring", stopped);
        }
    }
}
