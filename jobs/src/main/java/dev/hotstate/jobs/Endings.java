package dev.hotstate.jobs;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Partition;
import dev.hotstate.core.Partitions;
import dev.hotstate.jobs.RedisAdvance.Advance;
import dev.hotstate.jobs.RedisAdvance.Asked;
import dev.hotstate.jobs.RedisAdvance.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends attempts: those of one partition in one call, with its share of what is wanted next; partitions side by side. */
final class Endings {
    private static final Logger LOG = LoggerFactory.getLogger(Endings.class);

    /** Characters of an error; what is longer is cut. */
    static final int MAX_ERROR = 2_048;

    /** Characters of a result. */
    static final int MAX_RESULT = 256 * 1_024;

    private static final List<Duration> PAUSES = List.of(Duration.ofMillis(50), Duration.ofMillis(200));

    private final RedisAdvance advance;
    private final Partitions partitions;
    private final Claims claims;

    Endings(RedisAdvance advance, Partitions partitions, Claims claims) {
        this.advance = advance;
        this.partitions = partitions;
        this.claims = claims;
    }

    /**
     * @param endings in the order of the call
     * @param freed permits, as queue and permit
     * @param asked the partitions that were
     */
    record Told(List<Ended> endings, List<Claimed> claimed, List<String> freed, Set<Partition> asked) {}

    Told tell(List<Ending> endings, @Nullable Wanted next) {
        List<Batches.Batch> batches =
                Batches.of(partitions, endings, ending -> ending.held().jobId(), RedisAdvance.MOST);
        List<Call> calls = new ArrayList<>(batches.size());
        int wanted = next == null ? 0 : next.max();
        int left = endings.size();
        for (Batches.Batch batch : batches) {
            int size = batch.places().size();
            int share = (int) (((long) wanted * size + left - 1) / left);
            calls.add(new Call(batch, endings, next == null ? Asked.NOTHING : claims.unlimited(next, share)));
            wanted -= share;
            left -= size;
        }
        return collect(calls, sideBySide(calls), endings.size());
    }

    /** One call of one partition. */
    private record Call(Batches.Batch batch, List<Ending> endings, Asked asked) {
        List<End> ends() {
            return batch.places().stream().map(place -> end(endings.get(place))).toList();
        }
    }

    private List<Advance> sideBySide(List<Call> calls) {
        if (calls.size() == 1) {
            return List.of(run(calls.getFirst()));
        }
        List<CompletableFuture<Advance>> answers = new ArrayList<>();
        for (Call call : calls) {
            answers.add(CompletableFuture.supplyAsync(
                    () -> run(call), task -> Thread.ofVirtual().start(task)));
        }
        List<Advance> came = new ArrayList<>();
        HotstateException failed = null;
        for (int i = 0; i < calls.size(); i++) {
            try {
                came.add(answered(calls.get(i), answers.get(i)));
            } catch (HotstateException away) {
                failed = away;
            }
        }
        if (failed == null) {
            return came;
        }
        came.forEach(answer -> claims.give(answer.freed()));
        release(came);
        throw came.isEmpty() ? failed : new PartlyEndedException(failed);
    }

    /** Some endings have counted by now: before the caller has to repeat all of them, those of this call are told again. */
    private Advance answered(Call call, CompletableFuture<Advance> answer) {
        try {
            return answer.join();
        } catch (CompletionException thrown) {
            if (!(thrown.getCause() instanceof HotstateException failed)) {
                throw thrown;
            }
            return again(call, failed);
        }
    }

    private Advance again(Call call, HotstateException failed) {
        HotstateException last = failed;
        for (Duration pause : PAUSES) {
            try {
                Thread.sleep(pause);
                return run(new Call(call.batch, call.endings, Asked.NOTHING));
            } catch (HotstateException still) {
                last = still;
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
                throw last;
            }
        }
        throw last;
    }

    private Advance run(Call call) {
        Partition partition = call.batch.partition();
        Advance answer = advance.run(partition, call.ends(), call.asked);
        claims.learn(partition, call.asked, answer);
        return answer;
    }

    /** The caller will not hear of what was taken on the way: others may have it. */
    private void release(List<Advance> came) {
        List<Ending> back = new ArrayList<>();
        came.forEach(answer -> answer.claimed().forEach(one -> back.add(new Ending.Released(one.held()))));
        if (back.isEmpty()) {
            return;
        }
        try {
            tell(back, null);
        } catch (HotstateException unheard) {
            LOG.debug("{} tasks come back when their leases end: {}", back.size(), unheard.getMessage());
        }
    }

    private static Told collect(List<Call> calls, List<Advance> answers, int count) {
        Ended[] endings = new Ended[count];
        List<Claimed> claimed = new ArrayList<>();
        List<String> freed = new ArrayList<>();
        Set<Partition> asked = new LinkedHashSet<>();
        for (int i = 0; i < calls.size(); i++) {
            Batches.Batch batch = calls.get(i).batch;
            Advance answer = answers.get(i);
            for (int k = 0; k < batch.places().size(); k++) {
                endings[batch.places().get(k)] = answer.endings().get(k);
            }
            claimed.addAll(answer.claimed());
            freed.addAll(answer.freed());
            asked.add(batch.partition());
        }
        return new Told(List.of(endings), claimed, freed, asked);
    }

    private static End end(Ending ending) {
        return switch (ending) {
            case Ending.Completed completed -> new End(completed.held(), End.COMPLETED, result(completed.result()));
            case Ending.Failed failed ->
                new End(failed.held(), failed.retryable() ? End.FAILED : End.FATAL, error(failed.error()));
            case Ending.Unsure unsure ->
                new End(unsure.held(), unsure.retryable() ? End.UNSURE : End.UNSURE_FATAL, error(unsure.error()));
            case Ending.Released released -> new End(released.held(), End.RELEASED, "");
        };
    }

    private static String result(@Nullable String json) {
        if (json == null) {
            return "";
        }
        if (json.length() > MAX_RESULT) {
            throw new IllegalArgumentException(
                    "result must have at most " + MAX_RESULT + " characters, not " + json.length());
        }
        return withoutSeparator(json);
    }

    private static String error(String text) {
        String cut = text.length() > MAX_ERROR ? text.substring(0, MAX_ERROR) : text;
        return withoutSeparator(cut);
    }

    /** Fields in the archive are parted by a character that JSON has only in its escaped form. */
    private static String withoutSeparator(String text) {
        return text.indexOf('\u001f') < 0 ? text : text.replace('\u001f', ' ');
    }
}
