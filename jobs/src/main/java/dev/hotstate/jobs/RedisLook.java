package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Fence;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import dev.hotstate.jobs.graph.JobStatus;
import dev.hotstate.jobs.graph.TaskStatus;
import io.lettuce.core.Limit;
import io.lettuce.core.Range;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Jobs as Redis has them, for those who watch. Nothing is changed. */
final class RedisLook {
    private static final int MOST = 500;
    private static final int MOST_LANES = 1_000;

    static final Script<Reply> LOOK = Script.of(
            RedisLook.class,
            "look",
            List.of("incarnation", "job", "pending", "results", "parked", "leases", "delayed"),
            Function.identity());
    static final Script<Reply> LINES =
            Script.of(RedisLook.class, "lines", List.of("job", "task", "logs"), Function.identity());
    static final Script<List<String>> DEPTHS =
            Script.of(RedisLook.class, "depths", List.of("incarnation", "lanes"), reply -> reply.list(0));
    static final Script<Reply> LEASES =
            Script.of(RedisLook.class, "leases", List.of("incarnation", "leases"), Function.identity());

    static final Script<List<String>> CHECK = Script.of(
            RedisLook.class,
            "check",
            List.of("incarnation", "job", "steps", "leases", "delayed", "lapsed"),
            reply -> reply.list(0));

    private final Redis redis;
    private final Partitions partitions;

    RedisLook(Redis redis, Partitions partitions) {
        this.redis = redis;
        this.partitions = partitions;
    }

    /** Empty also while it is still being loaded. */
    Optional<LiveJob> job(String id) {
        Reply reply = look(id, Results.NONE, List.of());
        return reply.word().equals("UNKNOWN") ? Optional.empty() : Optional.of(job(id, reply.list(0)));
    }

    /** Those that Redis has, by id, with all that they have given; of any number, so many a call. */
    Map<String, LiveTask> tasks(String jobId, List<String> ids) {
        return tasks(jobId, ids, Results.ALL);
    }

    Map<String, LiveTask> tasks(String jobId, List<String> ids, Results results) {
        Map<String, LiveTask> tasks = new HashMap<>();
        for (int from = 0; from < ids.size(); from += MOST) {
            List<String> some = ids.subList(from, Math.min(ids.size(), from + MOST));
            Reply reply = look(jobId, results, some);
            if (reply.word().equals("UNKNOWN")) {
                return tasks;
            }
            boolean cancelled = reply.list(0).get(2).equals(JobStatus.CANCELLED.name());
            List<String> parts = reply.list(1);
            for (int i = 0; i < some.size(); i++) {
                LiveTask task = task(parts.subList(13 * i, 13 * i + 13), cancelled);
                if (task != null) {
                    tasks.put(some.get(i), task);
                }
            }
        }
        return tasks;
    }

    /** Which of these nothing will ever move on; of any number, so many a call. An empty id stands for the job itself. */
    Set<String> stuck(String jobId, List<String> ids) {
        Partition partition = partitions.of(jobId);
        List<Key> keys = List.of(
                CoreKeys.INCARNATION.of(partition),
                JobKeys.JOB.of(partition, jobId),
                JobKeys.STEPS.of(partition),
                JobKeys.LEASES.of(partition),
                JobKeys.DELAYED.of(partition),
                JobKeys.LAPSED.of(partition));
        Set<String> stuck = new LinkedHashSet<>();
        for (int from = 0; from < ids.size(); from += MOST) {
            List<String> args = new ArrayList<>(List.of(jobId));
            args.addAll(ids.subList(from, Math.min(ids.size(), from + MOST)));
            stuck.addAll(CHECK.run(redis, keys, args));
        }
        return stuck;
    }

    Partition partition(String jobId) {
        return partitions.of(jobId);
    }

    /** The partitions where something that happened before then waits for PostgreSQL, and those that cannot be asked. */
    Set<Partition> behind(Instant time) {
        Set<Partition> behind = new HashSet<>();
        for (Partition partition : partitions.all()) {
            if (isBehind(partition, time)) {
                behind.add(partition);
            }
        }
        return behind;
    }

    private boolean isBehind(Partition partition, Instant time) {
        try {
            return redis
                    .read(
                            JobKeys.ARCHIVE.of(partition),
                            (commands, key) -> commands.xrange(key, Range.unbounded(), Limit.from(1)))
                    .stream()
                    .anyMatch(entry -> RedisArchive.time(entry).isBefore(time));
        } catch (HotstateException away) {
            return true;
        }
    }

    /** Empty where Redis has no such task. */
    Optional<LogPart> lines(String jobId, String taskId, long from, int limit) {
        Partition partition = partitions.of(jobId);
        Reply reply = LINES.run(
                redis,
                List.of(
                        JobKeys.JOB.of(partition, jobId),
                        JobKeys.TASK.of(partition, jobId, taskId),
                        JobKeys.LOGS.of(partition, jobId, taskId)),
                List.of(Long.toString(from), Integer.toString(limit)));
        if (reply.word().equals("UNKNOWN")) {
            return Optional.empty();
        }
        long first = reply.number(0);
        boolean ended = TaskStatus.valueOf(reply.text(1)).isTerminal() || isTerminal(reply.text(2));
        List<String> lines = reply.list(4);
        return Optional.of(new LogPart(first, lines, first + lines.size(), ended));
    }

    /** @param waited how long the oldest of them has been ready */
    record Depth(long ready, Duration waited) {}

    /** Over all partitions, every lane that was used lately; of several the one that waited longest. */
    Map<Lane, Depth> depths() {
        Map<Lane, Depth> depths = new HashMap<>();
        for (Partition partition : partitions.all()) {
            depths(partition).forEach((lane, here) -> depths.merge(lane, here, RedisLook::together));
        }
        return depths;
    }

    /** A lane that moves between two pages may be met twice, or not until the next look. */
    private Map<Lane, Depth> depths(Partition partition) {
        Map<Lane, Depth> depths = new HashMap<>();
        List<String> parts = null;
        for (int from = 0; parts == null || parts.size() == 3 * MOST_LANES; from += MOST_LANES) {
            parts = DEPTHS.run(
                    redis,
                    List.of(CoreKeys.INCARNATION.of(partition), JobKeys.LANES.of(partition)),
                    List.of(redis.scriptTime(), Integer.toString(from), Integer.toString(MOST_LANES)));
            for (int i = 0; i < parts.size(); i += 3) {
                depths.put(
                        Lanes.parse(parts.get(i)),
                        new Depth(
                                Long.parseLong(parts.get(i + 1)), Duration.ofMillis(Long.parseLong(parts.get(i + 2)))));
            }
        }
        return depths;
    }

    /** A task that somebody holds. */
    record Lease(Held held, Lane lane, String worker, Instant until) {}

    /** Over all partitions, those whose lease ends first; so many of each partition at most. */
    List<Lease> leases(int most) {
        Map<Held, Lease> leases = new LinkedHashMap<>();
        for (Partition partition : partitions.all()) {
            long looked = MOST;
            for (int from = 0; from < most && looked == MOST; from += MOST) {
                Reply reply = LEASES.run(
                        redis,
                        List.of(CoreKeys.INCARNATION.of(partition), JobKeys.LEASES.of(partition)),
                        List.of(Integer.toString(from), Integer.toString(Math.min(MOST, most - from))));
                looked = reply.number(0);
                addLeases(reply.list(1), leases);
            }
        }
        return List.copyOf(leases.values());
    }

    /** Between two pages some come and go: what is in both counts once. */
    private static void addLeases(List<String> parts, Map<Held, Lease> leases) {
        for (int i = 0; i < parts.size(); i += 6) {
            Held held = new Held(parts.get(i), parts.get(i + 1), Fence.parse(parts.get(i + 2)));
            leases.put(
                    held,
                    new Lease(
                            held,
                            Lanes.parse(parts.get(i + 3)),
                            parts.get(i + 4),
                            Instant.ofEpochMilli(Long.parseLong(parts.get(i + 5)))));
        }
    }

    /** Who asked for tasks. */
    record Asker(String worker, List<String> queues, Instant at) {}

    /** Those who asked within the last two minutes or so, by name; each with the queues that it asked for last. */
    List<Asker> askers() {
        Map<String, Asker> askers = new TreeMap<>();
        for (Partition partition : partitions.all()) {
            redis.read(JobKeys.WORKERS.of(partition), (commands, key) -> commands.zrangeWithScores(key, 0, -1))
                    .forEach(entry -> {
                        int space = entry.getValue().indexOf(' ');
                        String worker = entry.getValue().substring(0, space);
                        List<String> queues =
                                List.of(entry.getValue().substring(space + 1).split(","));
                        Instant at = Instant.ofEpochMilli((long) entry.getScore());
                        askers.merge(
                                worker,
                                new Asker(worker, queues, at),
                                (one, other) -> one.at().isAfter(other.at()) ? one : other);
                    });
        }
        return List.copyOf(askers.values());
    }

    private Reply look(String jobId, Results results, List<String> tasks) {
        Partition partition = partitions.of(jobId);
        List<Key> keys = List.of(
                CoreKeys.INCARNATION.of(partition),
                JobKeys.JOB.of(partition, jobId),
                JobKeys.PENDING.of(partition, jobId),
                JobKeys.RESULTS.of(partition, jobId),
                JobKeys.PARKED.of(partition, jobId),
                JobKeys.LEASES.of(partition),
                JobKeys.DELAYED.of(partition));
        List<String> args = new ArrayList<>(2 + tasks.size());
        args.add(jobId);
        args.add(Integer.toString(results.longest()));
        args.addAll(tasks);
        return LOOK.run(redis, keys, args);
    }

    private static LiveJob job(String id, List<String> parts) {
        JobStatus status = JobStatus.valueOf(parts.get(2));
        int open = Integer.parseInt(parts.get(3));
        Map<TaskStatus, Integer> counts = new EnumMap<>(TaskStatus.class);
        counts.put(TaskStatus.SUCCEEDED, Integer.parseInt(parts.get(4)));
        counts.put(TaskStatus.FAILED, Integer.parseInt(parts.get(5)));
        counts.put(TaskStatus.SKIPPED, Integer.parseInt(parts.get(6)));
        boolean cancelled = status == JobStatus.CANCELLED;
        int ready = cancelled ? 0 : Integer.parseInt(parts.get(7));
        int running = cancelled ? 0 : Integer.parseInt(parts.get(8));
        int delayed = cancelled ? 0 : Integer.parseInt(parts.get(9));
        counts.put(TaskStatus.READY, ready);
        counts.put(TaskStatus.RUNNING, running);
        counts.put(TaskStatus.DELAYED, delayed);
        counts.put(TaskStatus.WAITING, cancelled ? 0 : open - ready - running - delayed);
        counts.put(TaskStatus.CANCELLED, cancelled ? open : 0);
        return new LiveJob(
                id,
                Integer.parseInt(parts.get(1)),
                status,
                Integer.parseInt(parts.get(0)),
                counts,
                instant(parts.get(10)),
                instant(parts.get(11)));
    }

    private static @Nullable LiveTask task(List<String> parts, boolean jobCancelled) {
        if (parts.getFirst().isEmpty()) {
            return null;
        }
        TaskStatus stored = TaskStatus.valueOf(parts.getFirst());
        TaskStatus status = jobCancelled && !stored.isTerminal() ? TaskStatus.CANCELLED : stored;
        Instant startedAt = instant(parts.get(3));
        return new LiveTask(
                status,
                attempt(stored, Integer.parseInt(parts.get(1)), startedAt),
                orNull(parts.get(2)),
                stored == TaskStatus.DELAYED ? instant(parts.get(11)) : null,
                stored == TaskStatus.RUNNING ? instant(parts.get(10)) : null,
                startedAt,
                stored.isTerminal() || stored == TaskStatus.DELAYED ? instant(parts.get(4)) : null,
                orNull(parts.get(5)),
                orNull(parts.get(8)),
                parts.get(12).equals("1"),
                Integer.parseInt(parts.get(7)),
                parts.get(9).equals("1"),
                parts.get(6).isEmpty() ? 0 : Long.parseLong(parts.get(6)));
    }

    /** Retries count attempts after the first one, and grow when an attempt has failed. */
    private static int attempt(TaskStatus status, int retries, @Nullable Instant startedAt) {
        return switch (status) {
            case RUNNING, SUCCEEDED, FAILED -> retries + 1;
            case CANCELLED -> startedAt == null ? retries : retries + 1;
            case WAITING, READY, DELAYED, SKIPPED -> retries;
        };
    }

    private static Depth together(Depth one, Depth other) {
        return new Depth(one.ready + other.ready, one.waited.compareTo(other.waited) > 0 ? one.waited : other.waited);
    }

    private static boolean isTerminal(String job) {
        return !job.isEmpty()
                && !job.equals("LOADING")
                && JobStatus.valueOf(job).isTerminal();
    }

    private static @Nullable Instant instant(String ms) {
        return ms.isEmpty() ? null : Instant.ofEpochMilli(Long.parseLong(ms));
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
