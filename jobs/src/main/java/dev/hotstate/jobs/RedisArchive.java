package dev.hotstate.jobs;

import dev.hotstate.core.CoreKeys;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Passes;
import dev.hotstate.core.Redis;
import dev.hotstate.core.Reply;
import dev.hotstate.core.Script;
import io.lettuce.core.StreamMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What happened, on its way to PostgreSQL: read, and let go of once it is there. */
final class RedisArchive {
    /** Before anything was applied. */
    static final String NOTHING = "";

    /** How long one instance is let alone with a partition's archive after each of its calls. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    static final Script<Reply> DRAIN = Script.of(
                    RedisArchive.class, "drain", List.of("incarnation", "archiver", "archive"), Function.identity())
            .repeatable();

    private final Redis redis;
    private final Passes passes;

    RedisArchive(Redis redis, Passes passes) {
        this.redis = redis;
        this.passes = passes;
    }

    /**
     * @param upTo what to show with the next call, once all of these are in PostgreSQL
     * @param left entries that wait, these included
     * @param age of the oldest of them
     */
    record Drained(List<Transition> transitions, String upTo, long left, Duration age) {}

    /**
     * Lets go of what was applied, and answers what comes next.
     *
     * @param appliedUpTo the last answer's {@code upTo}, or {@link #NOTHING}
     * @param count entries at most, and fewer where they are large; each is of one call, with up to some hundreds of
     *     transitions
     * @return empty where another instance is at it
     */
    Optional<Drained> drain(Partition partition, String instance, String appliedUpTo, int count) {
        String pass = passes.of(partition).toString();
        Reply reply = DRAIN.run(
                redis,
                List.of(
                        CoreKeys.INCARNATION.of(partition),
                        JobKeys.ARCHIVER.of(partition),
                        JobKeys.ARCHIVE.of(partition)),
                List.of(
                        pass,
                        redis.scriptTime(),
                        instance,
                        idWithin(pass, appliedUpTo),
                        Integer.toString(count),
                        Long.toString(LEASE.toMillis())));
        return reply.word().equals("TAKEN") ? Optional.empty() : Optional.of(drained(pass, reply));
    }

    /** Ids of another incarnation's stream mean nothing in this one: what they would let go of may not be applied. */
    private static String idWithin(String pass, String upTo) {
        return upTo.startsWith(pass + " ") ? upTo.substring(pass.length() + 1) : "";
    }

    private static Drained drained(String pass, Reply reply) {
        List<Transition> transitions = new ArrayList<>();
        reply.list(3).forEach(call -> addTransitions(call, transitions));
        String last = reply.text(2);
        Duration age = transitions.isEmpty()
                ? Duration.ZERO
                : Duration.between(transitions.getFirst().at(), Instant.ofEpochMilli(reply.number(0)));
        return new Drained(
                transitions,
                last.isEmpty() ? NOTHING : pass + " " + last,
                reply.number(1),
                age.isNegative() ? Duration.ZERO : age);
    }

    /** What happened in one call: its time, and then six fields each, as {@code advance.lua} writes them. */
    private static void addTransitions(String call, List<Transition> transitions) {
        String[] parts = call.split("\u001f", -1);
        Instant at = instant(parts[0]);
        for (int i = 1; i < parts.length; i += 6) {
            int colon = parts[i].indexOf(':');
            String job = parts[i].substring(0, colon);
            String task = parts[i].substring(colon + 1);
            Attempt attempt = task.isEmpty() ? Attempt.ofJob(parts[i + 3]) : Attempt.of(parts[i + 3]);
            transitions.add(new Transition(
                    job,
                    task,
                    Integer.parseInt(parts[i + 1]),
                    attempt.number,
                    parts[i + 2],
                    at,
                    attempt.startedAt,
                    attempt.worker,
                    orNull(parts[i + 4]),
                    orNull(parts[i + 5]),
                    attempt.logged));
        }
    }

    /** When it happened, of what an entry tells. */
    static Instant time(StreamMessage<String, String> entry) {
        String happened = String.valueOf(entry.getBody().get("happened"));
        return instant(happened.substring(0, happened.indexOf('\u001f')));
    }

    /** The words of {@code attempt.lua}; none where there was no attempt. */
    private record Attempt(
            int number,
            @Nullable Instant startedAt,
            boolean logged,
            @Nullable String worker) {

        static Attempt of(String text) {
            if (text.isEmpty()) {
                return new Attempt(0, null, false, null);
            }
            String[] words = text.split(" ", 6);
            return new Attempt(Integer.parseInt(words[1]) + 1, instant(words[2]), words[3].equals("1"), words[4]);
        }

        static Attempt ofJob(String startedAt) {
            return new Attempt(0, startedAt.isEmpty() ? null : instant(startedAt), false, null);
        }
    }

    private static Instant instant(String ms) {
        return Instant.ofEpochMilli(Long.parseLong(ms));
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }
}
