package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The door for workers, on Redis. */
final class RedisTasks implements Tasks {
    /** Characters of a line of a log; what is longer is cut. */
    static final int MAX_LINE = 4_096;

    /** How often one who waits looks again where the archive is too long, or a partition is away. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(200);

    /** How often those who have enough to do look for tasks elsewhere, all workers of this process together. */
    private static final Duration ELSEWHERE = Duration.ofMillis(100);

    private static final int MOST_KEPT = 500;

    static final Script<List<String>> KEEP = Script.of(
                    RedisTasks.class, "keep", List.of("incarnation", "leases", "lapsed"), reply -> reply.list(0))
            .repeatable();
    static final Script<Boolean> NOTE = Script.of(
            RedisTasks.class,
            "note",
            List.of("incarnation", "task", "logs"),
            reply -> reply.word().equals("NOTED"));

    private final Redis redis;
    private final Passes passes;
    private final Partitions partitions;
    private final Wakeups wakeups;
    private final Claims claims;
    private final Endings endings;
    private final RedisGreetings greetings;
    private volatile Runnable unsure = () -> {};
    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicLong lookedElsewhere = new AtomicLong(System.nanoTime());

    RedisTasks(
            Redis redis, Passes passes, Partitions partitions, Wakeups wakeups, RedisAdvance advance, Options options) {
        this.redis = redis;
        this.passes = passes;
        this.partitions = partitions;
        this.wakeups = wakeups;
        FreedPermits freed = new FreedPermits(options.permits, partitions.all(), wakeups);
        this.claims = new Claims(advance, options.permits, freed, options.archiveLimit);
        this.endings = new Endings(advance, partitions, claims);
        this.greetings = new RedisGreetings(redis, passes, partitions);
    }

    /** @param archiveLimit entries of a partition's archive beyond which nothing is handed out there */
    record Options(Permits permits, long archiveLimit) {}

    /** Whoever asks PostgreSQL of attempts that lapsed is told when there is perhaps another: nobody waits for its next look. */
    void unsureOf(Runnable asking) {
        unsure = asking;
    }

    @Override
    public Claimer claimer(Recall recall) {
        return new Standing(recall);
    }

    /**
     * The next tasks come from the partitions of those that have ended, with the same call. For who wants no more than has
     * ended, and so has no place to spare, they come from elsewhere first now and then, or who always has tasks of one
     * partition would never come to another, nor to a queue with a limit.
     */
    @Override
    public Advanced end(List<Ending> ended, @Nullable Wanted next) {
        if (next != null) {
            greetings.greet(next);
        }
        boolean elsewhere = next != null && next.max() <= ended.size() && looksElsewhere(next);
        Endings.Told told = endings.tell(ended, elsewhere ? null : next);
        List<Claimed> claimed = new ArrayList<>(told.claimed());
        claims.give(told.freed());
        if (ended.stream().anyMatch(one -> one instanceof Ending.Unsure last && !last.retryable())) {
            unsure.run();
        }
        if (next != null && claimed.size() < next.max()) {
            Collection<Partition> where = elsewhere
                    ? othersThan(told.asked())
                    : claims.needsPermits(next) || ended.isEmpty() ? inTurn() : claims.probablyMore(told.asked());
            claimed.addAll(
                    claims.take(next, next.max() - claimed.size(), where, false).claimed());
        }
        return new Advanced(told.endings(), claimed);
    }

    @Override
    public Partition partitionOf(String jobId) {
        return partitions.of(jobId);
    }

    @Override
    public List<Kept> keep(List<Held> tasks, Duration lease) {
        return keep(tasks, lease, false);
    }

    @Override
    public List<Kept> keepAtLeast(List<Held> tasks, Duration lease) {
        return keep(tasks, lease, true);
    }

    private List<Kept> keep(List<Held> tasks, Duration lease, boolean atLeast) {
        Kept[] kept = new Kept[tasks.size()];
        for (Batches.Batch batch : Batches.of(partitions, tasks, Held::jobId, MOST_KEPT)) {
            List<String> args = arguments(batch.partition());
            args.add(Long.toString(lease.toMillis()));
            args.add(atLeast ? "least" : "");
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
        // Also of no lines at all the fence is looked at.
        for (int from = 0; from == 0 || from < lines.size(); from += JobKeys.LOG_LINES) {
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

    /** One who claims, and who hears of what becomes ready from its first claim to its last. */
    private final class Standing implements Claimer {
        private final Recall recall;
        private @Nullable Waiter waiter;

        /** Whether its last claim has left nothing that was ready: then whoever makes something ready tells. */
        private boolean foundAll;

        Standing(Recall recall) {
            this.recall = recall;
        }

        @Override
        public List<Claimed> claim(Wanted wanted) throws InterruptedException {
            if (recall.isOver()) {
                return List.of();
            }
            greetings.greet(wanted);
            long deadline = System.nanoTime() + wanted.patience().toNanos();
            boolean waits = !wanted.patience().isZero();
            Waiter heard = listening(wanted.lanes());
            Found found = foundAll && waits ? Found.NOTHING : askAll(wanted, heard);
            long left = deadline - System.nanoTime();
            if (found.claimed().isEmpty() && left > 0) {
                recall.begin();
            }
            while (found.claimed().isEmpty() && left > 0 && !recall.isOver()) {
                long pause = found.again() ? Math.min(left, LOOK_AGAIN.toNanos()) : left;
                Collection<Partition> ready = heard.await(Duration.ofNanos(pause));
                found = ask(wanted, found.again() ? inTurn() : ready);
                left = deadline - System.nanoTime();
            }
            // Who has waited in vain asks, in case that something was not told.
            foundAll = (left > 0 || !waits)
                    && found.claimed().size() < wanted.max()
                    && !found.again()
                    && !claims.needsPermits(wanted);
            return claimed(found);
        }

        private Waiter listening(List<Lane> lanes) {
            if (waiter == null || !waiter.isFor(lanes)) {
                close();
                waiter = wakeups.waitFor(lanes, recall);
                foundAll = false;
            }
            return waiter;
        }

        private Found askAll(Wanted wanted, Waiter heard) throws InterruptedException {
            // What it has heard of so far it sees now.
            heard.await(Duration.ZERO);
            return ask(wanted, inTurn());
        }

        private Found ask(Wanted wanted, Collection<Partition> where) {
            return claims.take(wanted, wanted.max(), where, true, recall);
        }

        /** That no partition could be asked is worth an error; where some could, nothing is what there was. */
        private List<Claimed> claimed(Found found) {
            if (found.failed() != null && found.away().containsAll(partitions.all())) {
                throw found.failed();
            }
            return found.claimed();
        }

        @Override
        public void close() {
            if (waiter != null) {
                waiter.close();
            }
        }
    }

    private boolean looksElsewhere(Wanted next) {
        long now = System.nanoTime();
        long last = lookedElsewhere.get();
        return (partitions.all().size() > 1 || claims.needsPermits(next))
                && now - last > ELSEWHERE.toNanos()
                && lookedElsewhere.compareAndSet(last, now);
    }

    /** Every partition, those last. */
    private List<Partition> othersThan(Set<Partition> some) {
        List<Partition> all = inTurn();
        all.sort(Comparator.comparing(some::contains));
        return all;
    }

    /** Every partition, each time beginning with another, so that none is always the last. */
    private List<Partition> inTurn() {
        List<Partition> all = partitions.all();
        int first = Math.floorMod(turn.getAndIncrement(), all.size());
        List<Partition> turned = new ArrayList<>(all.subList(first, all.size()));
        turned.addAll(all.subList(0, first));
        return turned;
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
