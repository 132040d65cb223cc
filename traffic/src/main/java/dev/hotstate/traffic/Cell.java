package dev.hotstate.traffic;

/** What one stripe counted of one endpoint in one ten seconds since the last drain. */
final class Cell {
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
        samples.add(atMs, micros, status);
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

    Ring samples() {
        return samples;
    }

    long startMs() {
        return startMs;
    }
}
