package dev.hotstate.monitors.history;

import java.util.ArrayDeque;
import java.util.List;

/**
 * Results on their way to PostgreSQL. They stay until they are known to be there; when there is no room, the oldest go.
 * Safe for use by many threads.
 */
final class Buffer {
    private final int capacity;
    private final ArrayDeque<Result> results = new ArrayDeque<>();
    private long first; // how many have left, so the number of the first one that is here

    /**
     * @param begin the number of its first result
     * @param end that of the one after its last
     */
    record Taken(List<Result> results, long begin, long end) {}

    Buffer(int capacity) {
        this.capacity = capacity;
    }

    /** Answers whether there was room; if not, the oldest one made it. */
    synchronized boolean add(Result result) {
        boolean room = results.size() < capacity;
        if (!room) {
            results.removeFirst();
            first++;
        }
        results.addLast(result);
        return room;
    }

    synchronized Taken peek(int most) {
        List<Result> oldest = results.stream().limit(most).toList();
        return new Taken(oldest, first, first + oldest.size());
    }

    /** These are where they should be. Some of them may have been pushed out meanwhile. */
    synchronized void remove(Taken taken) {
        for (; first < taken.end(); first++) {
            results.removeFirst();
        }
    }

    synchronized int size() {
        return results.size();
    }

    /** The number of the result that comes next. */
    synchronized long end() {
        return first + results.size();
    }
}
