package dev.hotstate.server.jobs;

import dev.hotstate.jobs.Lane;
import dev.hotstate.jobs.graph.Run;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The queues in which commands or requests were found waiting, as the server's own worker is to serve them all: the last
 * {@value #MOST}. Of more, those in which something waits take the place of others at the next look, and they take turns
 * where it waits in too many: a queue that is held up does not hold up others.
 */
final class ServedQueues {
    static final int MOST = 50;

    /** It is called each second; a look costs a call a partition. */
    private static final int EACH = 3;

    private final Supplier<Set<Lane>> waiting;
    private final Consumer<Collection<String>> serve;
    private final Set<String> queues = new LinkedHashSet<>();

    /** Where something waits, the next in turn first. */
    private final Set<String> turns = new LinkedHashSet<>();

    private int calls;

    ServedQueues(Supplier<Set<Lane>> waiting, Consumer<Collection<String>> serve) {
        this.waiting = waiting;
        this.serve = serve;
    }

    void look() {
        if (calls++ % EACH != 0) {
            return;
        }
        var before = Set.copyOf(queues);
        var wanted = waiting.get().stream()
                .filter(lane -> lane.run().equals(Run.Http.LANE) || lane.run().equals(Run.Shell.LANE))
                .map(Lane::queue)
                .collect(Collectors.toSet());
        turns.retainAll(wanted);
        turns.addAll(wanted);
        var next = turns.stream().limit(MOST).toList();
        moveToEnd(turns, next);
        moveToEnd(queues, next);
        while (queues.size() > MOST) {
            queues.remove(queues.iterator().next());
        }
        if (!queues.equals(before)) {
            serve.accept(List.copyOf(queues));
        }
    }

    private static void moveToEnd(Set<String> all, List<String> some) {
        some.forEach(all::remove);
        all.addAll(some);
    }
}
