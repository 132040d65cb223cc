package dev.hotstate.traffic;

import java.util.function.Consumer;

/** What one stripe counted of one endpoint in one ten seconds since the last drain. */
final class Cell {
    private static final long WIDTH_MS = 10_000;

    private final Endpoint endpoint;
    private final Figures figures = new Figures();
    private final Ring samples = new Ring();
    private long startMs;

    Cell(Endpoint endpoint, long startMs) {
        this.endpoint = endpoint;
        this.startMs = startMs;
    }

    void add(int status, long micros, long atMs) {
        figures.add(status >= 400, micros);
        samples.add((int) (atMs - startMs), micros, status);
    }

    /** The very same: an id may have had another endpoint before. */
    @SuppressWarnings("ReferenceEquality")
    boolean isOf(Endpoint asked) {
        return endpoint == asked;
    }

    /** Whether the time is within its stretch. */
    boolean covers(long atMs) {
        long since = atMs - startMs;
        return since >= 0 && since < WIDTH_MS;
    }

    /** Whether it counts for this stretch of time; an empty one does so from now on. */
    boolean takes(long start) {
        if (startMs != start && figures.isEmpty()) {
            startMs = start;
        }
        return startMs == start;
    }

    void clear() {
        figures.clear();
        samples.clear();
    }

    boolean isEmpty() {
        return figures.isEmpty();
    }

    Endpoint endpoint() {
        return endpoint;
    }

    Figures figures() {
        return figures;
    }

    /** The newest of its requests, oldest first. */
    void samples(Consumer<Sample> consumer) {
        for (int i = 0; i < samples.size(); i++) {
            consumer.accept(samples.get(i, startMs));
        }
    }

    long startMs() {
        return startMs;
    }
}
