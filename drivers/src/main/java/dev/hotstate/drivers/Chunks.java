package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Many things in few calls. */
final class Chunks {
    /** More would only wait for one another in Redis, each against its own deadline. */
    private static final int AT_ONCE = 4;

    private Chunks() {}

    static <T> List<List<T>> of(List<T> all, int most) {
        if (all.size() <= most) {
            return all.isEmpty() ? List.of() : List.of(all);
        }
        List<List<T>> chunks = new ArrayList<>();
        for (int from = 0; from < all.size(); from += most) {
            chunks.add(all.subList(from, Math.min(from + most, all.size())));
        }
        return chunks;
    }

    /** All calls, {@value #AT_ONCE} at once; the first failure is thrown when all have ended. */
    static <T> List<T> together(List<Callable<T>> calls) {
        try {
            if (calls.size() <= 1) {
                return calls.isEmpty() ? List.of() : List.of(calls.getFirst().call());
            }
            try (ExecutorService threads =
                    Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
                List<T> answers = new ArrayList<>(calls.size());
                for (Future<T> answer : threads.invokeAll(calls)) {
                    answers.add(answer.get());
                }
                return answers;
            }
        } catch (ExecutionException failed) {
            throw unchecked(failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new HotstateException("it was stopped", stopped);
        } catch (Exception failed) {
            throw unchecked(failed);
        }
    }

    private static RuntimeException unchecked(@Nullable Throwable failed) {
        if (failed instanceof RuntimeException known) {
            return known;
        }
        if (failed instanceof Error fatal) {
            throw fatal;
        }
        return new IllegalStateException(failed);
    }
}
