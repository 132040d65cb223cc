package dev.hotstate.server.jobs;

import dev.hotstate.jobs.Claimed;
import dev.hotstate.jobs.Ending;
import dev.hotstate.jobs.Recall;
import dev.hotstate.jobs.Tasks;
import dev.hotstate.jobs.Wanted;
import dev.hotstate.server.http.Request;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Those who wait for tasks over HTTP. Each is called back when its client leaves: a task that it were given then would be
 * nobody's until its lease ends, at the cost of an attempt. All of them are when the server stops.
 */
final class Polls {
    private final Tasks tasks;
    private final Set<Recall> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    Polls(Tasks tasks) {
        this.tasks = tasks;
    }

    /** Those who wait are sent away; with tasks that Redis hands out just then, and else with none. */
    void stopping() {
        stopping = true;
        waiting.forEach(Recall::now);
    }

    /** None also where the client has left meanwhile; what is there at once is given to whoever asks. */
    List<Claimed> claim(Wanted wanted, Request request) {
        var left = new AtomicBoolean();
        var recall = new Recall(own -> request.whenGone(() -> {
            left.set(true);
            own.now();
        }));
        waiting.add(recall);
        try {
            if (stopping) {
                recall.now();
            }
            var claimed = tasks.claim(wanted, recall);
            if (!left.get()) {
                return claimed;
            }
            handBack(claimed);
            return List.of();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return List.of();
        } finally {
            waiting.remove(recall);
        }
    }

    /** Tasks that nobody has heard of, since whoever asked is gone: others get them at once, at no cost of an attempt. */
    void handBack(List<Claimed> claimed) {
        if (!claimed.isEmpty()) {
            tasks.end(
                    claimed.stream()
                            .<Ending>map(task -> new Ending.Released(task.held()))
                            .toList(),
                    null);
        }
    }
}
