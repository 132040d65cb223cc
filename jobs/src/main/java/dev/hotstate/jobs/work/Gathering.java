package dev.hotstate.jobs.work;

import dev.hotstate.core.Partition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.ToIntFunction;

/** What waits for a call that takes many, by partition: those of one go together, and each partition has its turn. */
final class Gathering<T> {
    private record Group<T>(Partition partition, Queue<T> items) {}

    private final ToIntFunction<T> chars;
    private final Map<Partition, Group<T>> groups = new HashMap<>();
    private final Queue<Group<T>> turns = new ArrayDeque<>();
    private volatile int size;

    /** @param chars that one of them has */
    Gathering(ToIntFunction<T> chars) {
        this.chars = chars;
    }

    synchronized void add(Partition partition, T item) {
        Group<T> group = groups.get(partition);
        if (group == null) {
            group = new Group<>(partition, new ArrayDeque<>());
            groups.put(partition, group);
            turns.add(group);
        }
        group.items.add(item);
        size++;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Of the partition whose turn it is; none where there are none. Only the last may bring more than so many characters. */
    synchronized List<T> take(int most, int mostChars) {
        List<T> taken = new ArrayList<>();
        Group<T> group = turns.poll();
        if (group == null) {
            return taken;
        }
        int sum = 0;
        while (!group.items.isEmpty() && taken.size() < most && sum < mostChars) {
            T next = group.items.remove();
            taken.add(next);
            sum += chars.applyAsInt(next);
        }
        if (group.items.isEmpty()) {
            groups.remove(group.partition);
        } else {
            turns.add(group);
        }
        size -= taken.size();
        return taken;
    }
}
