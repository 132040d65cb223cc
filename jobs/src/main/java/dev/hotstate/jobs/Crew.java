package dev.hotstate.jobs;

import dev.hotstate.jobs.RedisLook.Asker;
import dev.hotstate.jobs.RedisLook.Depth;
import dev.hotstate.jobs.RedisLook.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Queues and workers, over all partitions. */
final class Crew {
    /** Leases a partition that are looked at; where more are held, the counts are of these. */
    private static final int MOST_LEASES = 10_000;

    private static final int NAMED = 100;

    private final RedisLook look;
    private final QueueLimits limits;

    Crew(RedisLook look, QueueLimits limits) {
        this.look = look;
        this.limits = limits;
    }

    /** Those that have tasks, that somebody asks for, or that have a limit. */
    List<QueueView> queues() {
        Map<String, Long> running = look.leases(MOST_LEASES).stream()
                .collect(Collectors.groupingBy(lease -> lease.lane().queue(), Collectors.counting()));
        Map<String, Depth> depths = new TreeMap<>();
        look.depths().forEach((lane, depth) -> depths.merge(lane.queue(), depth, Crew::together));
        TreeSet<String> names = new TreeSet<>(depths.keySet());
        names.addAll(running.keySet());
        names.addAll(limits.known().keySet());
        look.askers().forEach(asker -> names.addAll(asker.queues()));
        return names.stream()
                .map(name -> {
                    Depth depth = depths.getOrDefault(name, new Depth(0, Duration.ZERO));
                    return new QueueView(
                            name,
                            depth.ready(),
                            depth.waited(),
                            running.getOrDefault(name, 0L),
                            limits.known().get(name));
                })
                .toList();
    }

    /** By name, those that asked lately or hold something. */
    List<WorkerView> workers() {
        Map<String, List<Lease>> held = look.leases(MOST_LEASES).stream()
                .collect(Collectors.groupingBy(Lease::worker, TreeMap::new, Collectors.toList()));
        Map<String, List<Asker>> asked =
                look.askers().stream().collect(Collectors.groupingBy(Asker::worker, TreeMap::new, Collectors.toList()));
        TreeSet<String> names = new TreeSet<>(held.keySet());
        names.addAll(asked.keySet());
        List<WorkerView> workers = new ArrayList<>();
        for (String name : names) {
            workers.add(worker(name, asked.getOrDefault(name, List.of()), held.getOrDefault(name, List.of())));
        }
        return workers;
    }

    private static WorkerView worker(String name, List<Asker> asked, List<Lease> held) {
        TreeSet<String> queues = new TreeSet<>();
        asked.forEach(asker -> queues.addAll(asker.queues()));
        held.forEach(lease -> queues.add(lease.lane().queue()));
        Instant seen =
                asked.stream().map(Asker::at).max(Comparator.naturalOrder()).orElse(null);
        return new WorkerView(
                name,
                List.copyOf(queues),
                seen,
                held.size(),
                held.stream().limit(NAMED).map(Lease::held).toList());
    }

    private static Depth together(Depth one, Depth other) {
        Duration longer = one.waited().compareTo(other.waited()) > 0 ? one.waited() : other.waited();
        return new Depth(one.ready() + other.ready(), longer);
    }
}
