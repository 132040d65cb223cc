package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Script;
import dev.hotstate.jobs.Claims.Found;
import dev.hotstate.jobs.Wakeups.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The door for workers, on Redis. */
final class RedisTasks implements Tasks {
    /** Characters of a line of a log; what is longer is cut. */
    static final int MAX_LINE = 4_096;

    /** How long a worker that asks no more is still shown. */
    private static final Duration FORGET = Duration.ofMinutes(2);

    private static final Duration GREET_EVERY = Duration.ofSeconds(10);

    /** How often one who waits looks again where the archive is too long, or a partition is away. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    private static final int MOST_KEPT = 500;
    private static final int MOST_GREETED = 10_000;

    static final Script<List<String>> KEEP = Script.of(
                    RedisTasks.class, "keep", List.of("incarnation", "leases", "lapsed"), reply -> reply.list(0))
            .repeatable();
    static final Script<Boolean> NOTE = Script.of(
            RedisTasks.class,
            "note",
            List.of("incarnation", "task", "logs"),
            reply -> reply.word().equals("NOTED"));
    static final Script<String> GREET = Script.of(
                    RedisTasks.class, "greet", List.of("incarnation", "workers"), reply -> reply.word())
            .repeatable();

    private final Redis redis;
    private final Passes passes;
    private final Partitions partitions;
    private final Wakeups wakeups;
    private final Claims claims;
    private final Endings endings;
    private final AtomicInteger turn = new AtomicInteger();
    private final Map<String, Long> greeted = new ConcurrentHashMap<>();
    private final AtomicLong swept = new AtomicLong(System.nanoTime());

    RedisTasks(
            Redis redis, Passes passes, Partitions partitions, Wakeups wakeups, RedisAdvance advance, Options options) {
        this.redis = redis;
        this.passes = passes;
        this.partitions = partitions;
        this.wakeups = wakeups;
        FreedPermits freed = new FreedPermits(options.permits, partitions.all(), wakeups);
        this.claims = new Claims(advance, options.permits, freed, options.archiveLimit);
        this.endings = new Endings(advance, partitions, claims);
    }

    /** @param archiveLimit entries of a partition's archive beyond which nothing is handed out there */
    record Options(Permits permits, long archiveLimit) {}

    @Override
    public List<Claimed> claim(Wanted wanted, Recall recall) throws InterruptedException {
        if (recall.isOver()) {
            return List.of();
        }
        greet(wanted);
        long deadline = System.nanoTime() + wanted.patience().toNanos();
        boolean waits = !wanted.patience().isZero();
        try (Waiter waiter = wakeups.waitFor(wanted.lanes(), recall)) {
            Found found = claims.take(wanted, wanted.max(), inTurn(), waits, recall);
            long left = deadline - System.nanoTime();
            if (found.claimed().isEmpty() && left > 0) {
                recall.begin();
            }
            while (found.claimed().isEmpty() && left > 0 && !recall.isOver()) {
                long pause = found.again() ? Math.min(left, LOOK_AGAIN.toNanos()) : left;
                Collection<Partition> ready = waiter.await(Duration.ofNanos(pause));
                found = claims.take(wanted, wanted.max(), found.again() ? inTurn() : ready, waits, recall);
                left = deadline - System.nanoTime();
            }
            return claimed(found);
        }
    }

    @Override
    public Advanced end(List<Ending> ended, @Nullable Wanted next) {
        if (next != null) {
            greet(next);
        }
        Endings.Told told = endings.tell(ended, next);
        List<Claimed> claimed = new ArrayList<>(told.claimed());
        claims.give(told.freed());
        if (next != null && claimed.size() < next.max()) {
            Collection<Partition> where =
                    claims.needsPermits(next) || ended.isEmpty() ? inTurn() : claims.probablyMore(told.asked());
            claimed.addAll(
                    claims.take(next, next.max() - claimed.size(), where, false).claimed());
        }
        return new Advanced(told.endings(), claimed);
    }

    @Override
    public List<Kept> keep(List<Held> tasks, Duration lease) {
        Kept[] kept = new Kept[tasks.size()];
        for (Batches.Batch batch : Batches.of(partitions, tasks, Held::jobId, MOST_KEPT)) {
            List<String> args = arguments(batch.partition());
            args.add(Long.toString(lease.toMillis()));
            for (int place : batch.places()) {
                Held task = tasks.get(place);
                args.add(task.jobId());
                args.add(task.taskId());
                args.add(task.fence().toString());
            }
            List<String> answer = Moving.tryAgain(() -> KEEP.run(redis, keepKeys(batch.partition()), args));
            List<String> permits = new ArrayList<>();
            for (int i = 0; i < batch.places().size(); i++) {
                long until = Long.parseLong(answer.get(2 * i));
                kept[batch.places().get(i)] =
                        new Kept(until > 0 ? Optional.of(Instant.ofEpochMilli(until)) : Optional.empty(), until < 0);
                if (!answer.get(2 * i + 1).isEmpty()) {
                    permits.add(answer.get(2 * i + 1));
                }
            }
            claims.keep(permits, lease);
        }
        return List.of(kept);
    }

    @Override
    public boolean log(Held task, List<String> lines) {
        Partition partition = partitions.of(task.jobId());
        List<Key> keys = List.of(
                CoreKeys.INCARNATION.of(partition),
                JobKeys.TASK.of(partition, task.jobId(), task.taskId()),
                JobKeys.LOGS.of(partition, task.jobId(), task.taskId()));
        for (int from = 0; from < lines.size(); from += JobKeys.LOG_LINES) {
            List<String> args = arguments(partition);
            args.add(task.fence().toString());
            lines.subList(from, Math.min(lines.size(), from + JobKeys.LOG_LINES))
                    .forEach(line -> args.add(line.length() > MAX_LINE ? line.substring(0, MAX_LINE) : line));
            if (!NOTE.run(redis, keys, args)) {
                return false;
            }
        }
        return true;
    }

    /** Nothing came and some partition could not be asked: that is worth an error, unless others could. */
    private List<Claimed> claimed(Found found) {
        if (found.claimed().isEmpty()
                && found.failed() != null
                && partitions.all().size() == 1) {
            throw found.failed();
        }
        return found.claimed();
    }

    /** Every partition, each time beginning with another, so that none is always the last. */
    private List<Partition> inTurn() {
        List<Partition> all = partitions.all();
        int first = Math.floorMod(turn.getAndIncrement(), all.size());
        List<Partition> turned = new ArrayList<>(all.subList(first, all.size()));
        turned.addAll(all.subList(0, first));
        return turned;
    }

    /** Who works is known for a while; it is not worth a failure. */
    private void greet(Wanted wanted) {
        TreeSet<String> queues = new TreeSet<>();
        wanted.lanes().forEach(lane -> queues.add(lane.queue()));
        String entry = wanted.worker() + " " + String.join(",", queues);
        long now = System.nanoTime();
        Long last = greeted.get(entry);
        if (last != null && now - last < GREET_EVERY.toNanos()) {
            return;
        }
        sweep(now);
        // Names are made up by those who ask: beyond so many they are not remembered here, and greeted each time.
        if (greeted.size() < MOST_GREETED) {
            greeted.put(entry, now);
        }
        Partition partition = partitions.of(wanted.worker());
        try {
            List<String> args = arguments(partition);
            args.add(entry);
            args.add(Long.toString(FORGET.toMillis()));
            GREET.run(redis, List.of(CoreKeys.INCARNATION.of(partition), JobKeys.WORKERS.of(partition)), args);
        } catch (HotstateException unheard) {
            greeted.remove(entry);
        }
    }

    private void sweep(long now) {
        long last = swept.get();
        if (now - last > GREET_EVERY.toNanos() && swept.compareAndSet(last, now)) {
            greeted.values().removeIf(at -> now - at > FORGET.toNanos());
        }
    }

    private List<String> arguments(Partition partition) {
        List<String> args = new ArrayList<>();
        args.add(passes.of(partition).toString());
        args.add(redis.scriptTime());
        return args;
    }

    private static List<Key> keepKeys(Partition partition) {
        return List.of(CoreKeys.INCARNATION.of(partition), JobKeys.LEASES.of(partition), JobKeys.LAPSED.of(partition));
    }
}
