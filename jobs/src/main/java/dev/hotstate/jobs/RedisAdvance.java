package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Fence;
import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The one script that moves jobs on: endings, what is due, and the next tasks, in one call of one partition. */
final class RedisAdvance {
    /** Endings a call, so that Redis is never held for more than a few milliseconds. */
    static final int MOST = 100;

    private static final int MOST_LANES = 10_000;
    private static final String HOPPED = "HOPPED";

    /** After a silence of Redis, how long nobody is called dead who could not be heard. */
    private static final Duration SPARE = Duration.ofSeconds(30);

    static final Script<Reply> ADVANCE = Script.of(
            RedisAdvance.class,
            "advance",
            List.of("incarnation", "leases", "delayed", "steps", "lapsed", "archive", "waiting", "lanes", "ready…"),
            Function.identity());

    private final Redis redis;
    private final Passes passes;
    private final Wakeups wakeups;
    private final DoubleSupplier chance;
    private final RedisClocks clocks = new RedisClocks();
    private final Map<Partition, List<Key>> fixed = new ConcurrentHashMap<>();
    private final Map<Partition, Map<Lane, Key>> ready = new ConcurrentHashMap<>();

    /** @param chance between 0 and 1, how much of a quarter is taken off a backoff */
    RedisAdvance(Redis redis, Passes passes, Wakeups wakeups, DoubleSupplier chance) {
        this.redis = redis;
        this.passes = passes;
        this.wakeups = wakeups;
        this.chance = chance;
    }

    /**
     * How an attempt ended.
     *
     * @param kind a letter, one of those below
     * @param text the result, or the error
     */
    record End(Held held, char kind, String text) {
        static final char COMPLETED = 'c';

        /** Another attempt may be of use. */
        static final char FAILED = 'f';

        static final char FATAL = 'x';

        /** As these two; but where no attempt is left, PostgreSQL is asked for what is committed. */
        static final char UNSURE = 'u';

        static final char UNSURE_FATAL = 'v';
        static final char RELEASED = 'r';

        /** Of a lapsed one: its effects are committed. */
        static final char PROVED = 'p';

        /** Of a lapsed one: they are not. */
        static final char LOST = 'l';
    }

    /**
     * What is wanted on the way.
     *
     * @param archiveLimit entries of the archive beyond which nothing is handed out
     * @param permits one for each task that may be handed out; empty where none is needed
     */
    record Asked(
            String worker,
            List<Lane> lanes,
            int max,
            Duration lease,
            boolean waits,
            long archiveLimit,
            List<String> permits) {
        static final Asked NOTHING = lookedFor(List.of());

        /** Only whether there is something in these lanes. */
        static Asked lookedFor(List<Lane> lanes) {
            return new Asked("", lanes, 0, Duration.ZERO, false, 0, List.of());
        }
    }

    /**
     * @param freed permits of tasks that have ended, as queue and permit
     * @param due when something is to be done here, where nothing was handed out; null: nothing is known
     * @param more whether what was looked at was not to be had, or the call was too late for it, and there may be more
     * @param congested whether nothing is handed out because the archive is too long
     */
    record Advance(
            Instant now,
            List<Ended> endings,
            List<String> freed,
            List<Claimed> claimed,
            @Nullable Duration due,
            boolean more,
            boolean congested) {}

    Advance run(Partition partition, List<End> endings, Asked asked) {
        List<Key> keys = keys(partition, asked.lanes());
        List<String> args = arguments(partition, endings, asked);
        Reply reply = Moving.tryAgain(() -> ADVANCE.runDirectly(redis, keys, args));
        clocks.heard(partition, Instant.ofEpochMilli(reply.number(0)));
        if (reply.word().equals(HOPPED)) {
            return hopped(reply, asked.lanes());
        }
        wakeups.tell(partition, Lanes.parse(reply.list(5)), reply.number(6) == 1);
        Advance advance = advance(reply, asked.lanes());
        if (advance.due != null) {
            wakeups.due(advance.due);
        }
        return advance;
    }

    private List<Key> keys(Partition partition, List<Lane> lanes) {
        List<Key> keys = new ArrayList<>(fixed.computeIfAbsent(partition, RedisAdvance::fixedKeys));
        Map<Lane, Key> known = ready.computeIfAbsent(partition, any -> new ConcurrentHashMap<>());
        for (Lane lane : lanes) {
            Key key = known.get(lane);
            if (key == null) {
                key = JobKeys.READY.of(partition, lane.queue(), lane.run());
                // Whoever asks names the lanes: of ever new ones only so many are remembered.
                if (known.size() < MOST_LANES) {
                    known.put(lane, key);
                }
            }
            keys.add(key);
        }
        return keys;
    }

    private static List<Key> fixedKeys(Partition partition) {
        return List.of(
                CoreKeys.INCARNATION.of(partition),
                JobKeys.LEASES.of(partition),
                JobKeys.DELAYED.of(partition),
                JobKeys.STEPS.of(partition),
                JobKeys.LAPSED.of(partition),
                JobKeys.ARCHIVE.of(partition),
                JobKeys.WAITING.of(partition),
                JobKeys.LANES.of(partition));
    }

    private List<String> arguments(Partition partition, List<End> endings, Asked asked) {
        List<String> args =
                new ArrayList<>(10 + 4 * endings.size() + asked.permits().size());
        args.add(passes.of(partition).toString());
        args.add(redis.scriptTime());
        args.add(asked.worker());
        args.add(Integer.toString(asked.max()));
        args.add(Long.toString(asked.lease().toMillis()));
        args.add((asked.waits() ? "w" : "") + (redis.isCluster() ? "s" : ""));
        args.add(Long.toString(asked.archiveLimit()));
        args.add(asked.max() == 0 ? "" : heardUntil(partition));
        args.add(SPARE.toMillis() + " " + chance.getAsDouble());
        args.add(Integer.toString(endings.size()));
        for (End end : endings) {
            args.add(end.held().jobId());
            args.add(end.held().taskId());
            args.add(end.kind() + end.held().fence().toString() + " ");
            args.add(end.text());
        }
        args.addAll(asked.permits());
        return args;
    }

    /**
     * By Redis's clock, when this call will have been given up: a Redis that stood still meanwhile finds it in its sockets
     * nevertheless, and would hand out tasks that nobody hears of. Nothing where that clock is not known, or is a test's.
     */
    private String heardUntil(Partition partition) {
        return redis.scriptTime().isEmpty()
                ? clocks.now(partition)
                        .map(now -> Long.toString(now.plus(redis.timeout()).toEpochMilli()))
                        .orElse("")
                : "";
    }

    private static Advance hopped(Reply reply, List<Lane> lanes) {
        return new Advance(
                Instant.ofEpochMilli(reply.number(0)),
                List.of(Ended.DONE),
                List.of(),
                claimed(reply.textsFrom(2), Fence.parse(reply.text(1)), lanes),
                null,
                false,
                false);
    }

    private static Advance advance(Reply reply, List<Lane> lanes) {
        long due = reply.number(7);
        List<String> handed = reply.list(4);
        return new Advance(
                Instant.ofEpochMilli(reply.number(0)),
                reply.text(2).chars().mapToObj(RedisAdvance::ended).toList(),
                reply.list(3),
                handed.isEmpty() ? List.of() : claimed(handed, Fence.parse(reply.text(1)), lanes),
                due < 0 ? null : Duration.ofMillis(due),
                reply.number(8) == 1,
                reply.number(9) == 1);
    }

    private static Ended ended(int letter) {
        return switch (letter) {
            case 'D' -> Ended.DONE;
            case 'R' -> Ended.REPEATED;
            case 'S' -> Ended.STALE;
            case 'U' -> Ended.UNKNOWN;
            default -> throw new IllegalStateException("an ending came to \"" + (char) letter + "\"");
        };
    }

    private static List<Claimed> claimed(List<String> parts, Fence fence, List<Lane> lanes) {
        List<Claimed> claimed = new ArrayList<>();
        for (int i = 0; i < parts.size(); ) {
            String[] words = parts.get(i++).split(" ");
            String has = words[7];
            int colon = words[0].indexOf(':');
            String input = has.startsWith("i") ? parts.get(i++) : null;
            String run = has.endsWith("s") ? parts.get(i++) : null;
            boolean omitted = words[8].endsWith("+");
            int results = Integer.parseInt(omitted ? words[8].substring(0, words[8].length() - 1) : words[8]);
            int retries = Integer.parseInt(words[2]);
            claimed.add(new Claimed(
                    words[0].substring(0, colon),
                    words[0].substring(colon + 1),
                    Integer.parseInt(words[1]),
                    fence,
                    retries + 1,
                    words[3].equals("1"),
                    lanes.get(Integer.parseInt(words[4]) - 1),
                    run,
                    input,
                    results(parts, i, results),
                    omitted ? List.of(parts.get(i + 2 * results).split(",")) : List.of(),
                    Instant.ofEpochMilli(Long.parseLong(words[5])),
                    Duration.ofMillis(Long.parseLong(words[6]))));
            i += 2 * results + (omitted ? 1 : 0);
        }
        return claimed;
    }

    private static Map<String, String> results(List<String> parts, int from, int count) {
        if (count == 0) {
            return Map.of();
        }
        Map<String, String> results = new HashMap<>();
        for (int i = from; i < from + 2 * count; i += 2) {
            results.put(parts.get(i), parts.get(i + 1));
        }
        return results;
    }
}
