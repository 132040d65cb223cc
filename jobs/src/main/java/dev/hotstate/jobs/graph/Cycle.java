package dev.hotstate.jobs.graph;

import java.util.Arrays;
import java.util.BitSet;

/** A way from a task by what it needs back to itself, for whoever has to repair the job. */
final class Cycle {
    // A cycle may be as long as the job; its beginning and its end say enough.
    private static final int TOLD = 40;

    private Cycle() {}

    /** Of a graph that has one: whatever is in no order needs something that is in none. */
    static int[] among(Graph graph) {
        BitSet ordered = new BitSet(graph.size());
        graph.order().forEach(ordered::set);
        int[] met = new int[graph.size()];
        int[] way = new int[graph.size() + 1];
        int length = 0;
        int task = ordered.nextClearBit(0);
        while (met[task] == 0) {
            way[length++] = task;
            met[task] = length;
            task = graph.needs(task).stream()
                    .filter(need -> !ordered.get(need))
                    .findFirst()
                    .orElseThrow();
        }
        return Arrays.copyOfRange(way, met[task] - 1, length);
    }

    static String path(Graph graph, int[] cycle) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < cycle.length; i++) {
            if (i == TOLD && cycle.length > TOLD + 1) {
                path.append("… (").append(cycle.length - TOLD).append(" more) -> ");
                break;
            }
            path.append(graph.task(cycle[i]).id()).append(" -> ");
        }
        return path.append(graph.task(cycle[0]).id()).toString();
    }
}
