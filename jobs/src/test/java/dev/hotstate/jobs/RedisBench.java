package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Events;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Pass;
import dev.hotstate.core.Passes;
import dev.hotstate.core.ReadyPartition;
import dev.hotstate.core.Redis;
import dev.hotstate.core.RedisOptions;
import dev.hotstate.core.TestMeters;
import dev.hotstate.jobs.graph.TaskStatus;
import dev.hotstate.testkit.RedisTarget;
import dev.hotstate.testkit.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One partition of jobs on a real Redis whose time stands until a test moves it. */
final class RedisBench implements AutoCloseable {
    static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");
    static final Lane DEFAULT = new Lane("default", "worker");
    static final Duration LEASE = Duration.ofSeconds(30);

    /** A busy machine is not what is tested here. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    final SettableClock clock = SettableClock.at(NOON);
    final Partitions partitions = new Partitions("j", 1);
    final Partition partition = partitions.all().getFirst();
    final Redis redis;
    final Events events;
    final Passes passes;
    final Wakeups wakeups;
    final RedisAdvance advance;
    final FreedPermits unlimited;
    final RedisGraphs graphs;
    final RedisTasks tasks;
    final RedisControl control;
    final RedisArchive archive;
    final RedisLapsed lapsed;
    final RedisLook look;
    final Tender tender;
    private final List<Transition> archived = new ArrayList<>();
    private String applied = RedisArchive.NOTHING;

    RedisBench(RedisTarget target) {
        this(target, 1_000_000);
    }

    RedisBench(RedisTarget target, long archiveLimit) {
        this(target, archiveLimit, true);
    }

    /** Another instance on the same Redis, with a clock of its own. */
    RedisBench another(RedisTarget target) {
        return new RedisBench(target, 1_000_000, false);
    }

    private RedisBench(RedisTarget target, long archiveLimit, boolean first) {
        if (first) {
            target.flushAll();
        }
        redis = Redis.connect(
                RedisOptions.of(target.uri()).withTimeout(PATIENCE, PATIENCE).withClock(clock),
                Keyspace.of("dev:hotstate", List.of(CoreKeys.SERVICE, JobKeys.SERVICE)),
                TestMeters.REGISTRY);
        events = new Events(redis, List.of(Jobbing.READY_TOPIC));
        passes = first ? ReadyPartition.open(redis, partition, 1) : Passes.always(new Pass.Ready(1));
        wakeups = new Wakeups(events);
        advance = new RedisAdvance(redis, passes, wakeups, () -> 0);
        unlimited = new FreedPermits(Permits.NONE, partitions.all(), wakeups);
        graphs = new RedisGraphs(redis, passes, partitions, wakeups);
        tasks = new RedisTasks(
                redis, passes, partitions, wakeups, advance, new RedisTasks.Options(Permits.NONE, archiveLimit));
        control = new RedisControl(redis, passes, partitions, wakeups);
        archive = new RedisArchive(redis, passes);
        lapsed = new RedisLapsed(redis, partitions, advance, unlimited);
        look = new RedisLook(redis, partitions);
        tender = new Tender(advance, partitions.all(), wakeups, unlimited);
    }

    RedisGraphs.Loaded load(Flow flow) {
        return graphs.load(flow.head(), flow.cells());
    }

    List<Claimed> claim(int max) {
        return claim(max, DEFAULT);
    }

    List<Claimed> claim(int max, Lane... lanes) {
        try {
            return tasks.claim(new Wanted("worker-1", List.of(lanes), max, LEASE, Duration.ZERO));
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    /** The one task that is ready. */
    Claimed claimOne() {
        List<Claimed> claimed = claim(2);
        if (claimed.size() != 1) {
            throw new AssertionError("one task should be ready, not " + claimed);
        }
        return claimed.getFirst();
    }

    Ended succeed(Claimed task) {
        return succeed(task, null);
    }

    Ended succeed(Claimed task, @Nullable String result) {
        return end(new Ending.Completed(task.held(), result));
    }

    Ended fail(Claimed task) {
        return end(new Ending.Failed(task.held(), "it broke", true));
    }

    Ended end(Ending ending) {
        return tasks.end(List.of(ending), null).endings().getFirst();
    }

    /** Claims by id: fails where this one is not ready. */
    Claimed claim(String task) {
        return claim(100).stream()
                .filter(one -> one.taskId().equals(task))
                .findFirst()
                .orElseThrow(() -> new AssertionError(task + " is not ready"));
    }

    LiveJob job(String id) {
        return look.job(id).orElseThrow();
    }

    LiveTask task(String job, String task) {
        return Optional.ofNullable(look.tasks(job, List.of(task)).get(task)).orElseThrow();
    }

    Map<String, TaskStatus> states(Flow flow) {
        Map<String, TaskStatus> states = new LinkedHashMap<>();
        Map<String, LiveTask> live = look.tasks(flow.id, flow.ids());
        flow.ids().forEach(id -> states.put(id, live.get(id).status()));
        return states;
    }

    /** All that has happened so far, as PostgreSQL would get it. */
    List<Transition> archived() {
        while (true) {
            RedisArchive.Drained drained =
                    archive.drain(partition, "here", applied, 100).orElseThrow();
            if (drained.transitions().isEmpty()) {
                return archived;
            }
            archived.addAll(drained.transitions());
            applied = drained.upTo();
        }
    }

    /** What was archived of a job (with no task) or a task, as words. */
    List<String> archivedStates(String job, String task) {
        return archived().stream()
                .filter(one -> one.jobId().equals(job) && one.taskId().equals(task))
                .map(Transition::state)
                .toList();
    }

    @Override
    public void close() {
        tender.close();
        wakeups.close();
        events.close();
        redis.close();
    }
}
