package dev.hotstate.core;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Several calls that are sent together. What was not answered and may be repeated is sent again, together too, so that a
 * script that a node does not know, or a slot that is on its way, costs the pipeline one more round trip and not one a call.
 */
final class Pipeline<T> {

    /** One of the calls. */
    record Call<T>(Key key, Request<T> request) {}

    private final Redis redis;
    private final List<Call<T>> calls;
    private final Repeats repeats;
    private final List<@Nullable T> answers = new ArrayList<>();

    Pipeline(Redis redis, List<Call<T>> calls, Repeats repeats) {
        this.redis = redis;
        this.calls = calls;
        this.repeats = repeats;
        for (int i = 0; i < calls.size(); i++) {
            answers.add(null);
        }
    }

    /** The answers in the order of the calls. One that fails for good fails the pipeline; others may have happened. */
    List<T> run() {
        List<Integer> pending = new ArrayList<>();
        for (int i = 0; i < calls.size(); i++) {
            pending.add(i);
        }
        while (!pending.isEmpty()) {
            pending = round(pending);
        }
        return answers;
    }

    /** Sends these, and answers which of them must be sent again. */
    private List<Integer> round(List<Integer> pending) {
        List<Attempt<T>> sent = new ArrayList<>(pending.size());
        int ended = 0;
        try {
            for (int i : pending) {
                sent.add(redis.send(calls.get(i).key(), calls.get(i).request()));
            }
            List<Integer> again = new ArrayList<>();
            long heard = 0;
            for (Attempt<T> attempt : sent) {
                int i = pending.get(ended++);
                try {
                    // A long pipeline is not late while answers keep coming.
                    long since = ended == 1 ? attempt.sentAt() : Math.max(attempt.sentAt(), heard);
                    answers.set(i, attempt.await(repeats.until(since)));
                    heard = System.nanoTime();
                } catch (Attempt.Failed failed) {
                    repeats.requireAnother(failed, calls.get(i).request());
                    again.add(i);
                }
            }
            repeats.pause();
            return again;
        } finally {
            for (Attempt<T> unheard : sent.subList(ended, sent.size())) {
                unheard.abandon();
            }
        }
    }
}
