package dev.hotstate.monitors.history;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Stretches of time that follow each other without a gap, from each edge to the next, in milliseconds. */
final class Grid {
    private final long[] edges;

    private Grid(long[] edges) {
        this.edges = edges;
    }

    static Grid of(long... edges) {
        for (int i = 1; i < edges.length; i++) {
            if (edges[i - 1] >= edges[i]) {
                throw new IllegalArgumentException("edges must rise, not " + Arrays.toString(edges));
            }
        }
        return new Grid(edges.clone());
    }

    static Grid even(long from, long step, int cells) {
        return of(LongStream.rangeClosed(0, cells).map(i -> from + i * step).toArray());
    }

    int cells() {
        return edges.length - 1;
    }

    LongStream edges() {
        return LongStream.of(edges);
    }

    long from() {
        return edges[0];
    }

    long to() {
        return edges[edges.length - 1];
    }

    long from(int cell) {
        return edges[cell];
    }

    long to(int cell) {
        return edges[cell + 1];
    }

    /** Which cell has this time, which must be within the grid. */
    int cell(long at) {
        int found = Arrays.binarySearch(edges, at);
        return found >= 0 ? found : -found - 2;
    }

    List<Tally> tallies() {
        return IntStream.range(0, cells()).mapToObj(i -> new Tally()).toList();
    }
}
