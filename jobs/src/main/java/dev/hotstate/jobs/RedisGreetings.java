package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Script;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Notes who works, also those that find nothing to do. It is known for a while, and not worth a failure. */
final class RedisGreetings {
    /** How long a worker that asks no more is still shown. */
    private static final Duration FORGET = Duration.ofMinutes(2);

    private static final Duration EVERY = Duration.ofSeconds(10);
    private static final int MOST = 10_000;

    static final Script<String> GREET = Script.of(
                    RedisGreetings.class, "greet", List.of("incarnation", "workers"), reply -> reply.word())
            .repeatable();

    private final Redis redis;
    private final Passes passes;
    private final Partitions partitions;
    private final Map<Who, Long> greeted = new ConcurrentHashMap<>();
    private final AtomicLong swept = new AtomicLong(System.nanoTime());

    RedisGreetings(Redis redis, Passes passes, Partitions partitions) {
        this.redis = redis;
        this.passes = passes;
        this.partitions = partitions;
    }

    private record Who(String worker, List<Lane> lanes) {
        /** As it stands in Redis. */
        String entry() {
            TreeSet<String> queues = new TreeSet<>();
            lanes.forEach(lane -> queues.add(lane.queue()));
            return worker + " " + String.join(",", queues);
        }
    }

    void greet(Wanted wanted) {
        Who who = new Who(wanted.worker(), wanted.lanes());
        long now = System.nanoTime();
        Long last = greeted.get(who);
        if (last != null && now - last < EVERY.toNanos()) {
            return;
        }
        sweep(now);
        // Names are made up by those who ask: beyond so many they are not remembered here, and greeted each time.
        if (greeted.size() < MOST) {
            greeted.put(who, now);
        }
        Partition partition = partitions.of(wanted.worker());
        try {
            List<String> args = List.of(
                    passes.of(partition).toString(), redis.scriptTime(), who.entry(), Long.toString(FORGET.toMillis()));
            GREET.run(redis, List.of(CoreKeys.INCARNATION.of(partition), JobKeys.WORKERS.of(partition)), args);
        } catch (HotstateException unheard) {
            greeted.remove(who);
        }
    }

    private void sweep(long now) {
        long last = swept.get();
        if (now - last > EVERY.toNanos() && swept.compareAndSet(last, now)) {
            greeted.values().removeIf(at -> now - at > FORGET.toNanos());
        }
    }
}
