package dev.hotstate.core;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Bounded waits for what a node is asked aside from the calls of users: an answer, or none. */
final class Waiting {
    private Waiting() {}

    static <T> Optional<T> value(CompletionStage<T> asked, Duration within) {
        try {
            return Optional.ofNullable(asked.toCompletableFuture().get(within.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (ExecutionException | TimeoutException | CancellationException unanswered) {
            asked.toCompletableFuture().cancel(true);
            return Optional.empty();
        }
    }

    static boolean answers(CompletionStage<String> ping, Duration within) {
        return value(ping, within).isPresent();
    }

    /** The fields of an INFO answer; none when there was no answer. */
    static Map<String, String> info(CompletionStage<String> asked, Duration within) {
        Map<String, String> fields = new HashMap<>();
        for (String line : value(asked, within).orElse("").split("\r?\n")) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields.put(line.substring(0, colon), line.substring(colon + 1));
            }
        }
        return fields;
    }
}
