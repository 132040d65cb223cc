package dev.hotstate.bench;

import dev.hotstate.core.Partition;
import dev.hotstate.testkit.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One worker takes the next hundred entries and schedules them again, at random places of the schedule, over and over. The
 * agenda leases them; the peer pops them (ZPOPMIN, ZADD), and would lose them if it died in between.
 */
final class AgendaBenchmark implements Benchmark {
    /** Entries a cycle. */
    static final int BATCH = 100;

    /** The same random places for both sides. */
    static final long SEED = 20;

    private static final Metric REDIS_TIME = new Metric("redis_time", "us/cycle");
    private static final Metric ROUND_TRIPS = new Metric("round_trips", "calls/cycle");
    private static final Metric THROUGHPUT = new Metric("throughput", "cycles/s");

    @Override
    public String name() {
        return "agenda";
    }

    @Override
    public String about() {
        return "claim 100 and reschedule 100 as the agenda grows (goal: two round trips, and at 1M entries at most 2"
                + " times the Redis time of 10k)";
    }

    @Override
    public void run(Run run) {
        RedisServer server = run.redis();
        Lettuce lettuce = run.lettuce(server);
        Map<String, Integer> sizes = sizes(run.quick());
        LeasedSchedule leased = LeasedSchedule.open(run.connect(server), partitions(sizes));
        run.say("filling " + String.join(", ", sizes.keySet()) + " entries for each side");
        List<Subject> subjects = new ArrayList<>();
        String smallest = "agenda, " + sizes.keySet().iterator().next();
        sizes.forEach((size, entries) -> {
            Partition partition = partition(size);
            PoppedSchedule popped = new PoppedSchedule(lettuce, partition, entries);
            leased.fill(partition, entries);
            popped.fill();
            Subject mine = subject(
                            "agenda, " + size,
                            server,
                            Set.of("eval", "evalsha"),
                            () -> leased.cycle(partition, entries))
                    .against("zpopmin+zadd, " + size, THROUGHPUT);
            subjects.add(mine.name().equals(smallest) ? mine : mine.against(smallest, REDIS_TIME));
            subjects.add(subject("zpopmin+zadd, " + size, server, Set.of("zpopmin", "zadd"), popped::cycle)
                    .against("agenda, " + size, REDIS_TIME));
        });
        run.compare(subjects);
    }

    private static Map<String, Integer> sizes(boolean quick) {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        sizes.put("10k", 10_000);
        if (quick) {
            sizes.put("20k", 20_000);
        } else {
            sizes.put("100k", 100_000);
            sizes.put("1m", 1_000_000);
        }
        return sizes;
    }

    private static List<Partition> partitions(Map<String, Integer> sizes) {
        return sizes.keySet().stream().map(AgendaBenchmark::partition).toList();
    }

    private static Partition partition(String size) {
        return new Partition("b" + size);
    }

    private static Subject subject(String name, RedisServer redis, Set<String> commands, Runnable cycle) {
        return new Subject(name, length -> measure(redis, commands, cycle, length));
    }

    /** A command inside a script counts under its own name too, so only the commands that were sent are asked for. */
    private static Map<Metric, Double> measure(
            RedisServer redis, Set<String> commands, Runnable cycle, Duration length) {
        CommandTime before = CommandTime.of(redis, commands);
        long start = System.nanoTime();
        long took;
        long cycles = 0;
        do {
            cycle.run();
            cycles++;
            took = System.nanoTime() - start;
        } while (took < length.toNanos());
        CommandTime spent = CommandTime.of(redis, commands).minus(before);
        Map<Metric, Double> measured = new LinkedHashMap<>();
        measured.put(REDIS_TIME, (double) spent.micros() / cycles);
        measured.put(ROUND_TRIPS, (double) spent.calls() / cycles);
        measured.put(THROUGHPUT, cycles * 1e9 / took);
        return measured;
    }
}
