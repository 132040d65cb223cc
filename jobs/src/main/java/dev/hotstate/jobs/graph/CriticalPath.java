package dev.hotstate.jobs.graph;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/** The way through a job that takes longest: by what tasks took as far as that is known, and by their number else. */
public final class CriticalPath {
    private final Graph graph;
    private final long[] time;
    private final int[] hops;
    private final int[] before;

    private CriticalPath(Graph graph) {
        this.graph = graph;
        this.time = new long[graph.size()];
        this.hops = new int[graph.size()];
        this.before = new int[graph.size()];
    }

    /** Ids in the order of the path; tasks without a duration take no time, but count where times are equal. */
    public static List<String> of(Graph graph, Map<String, Duration> durations) {
        CriticalPath path = new CriticalPath(graph);
        int last = -1;
        for (int task : graph.order()) {
            path.reach(
                    task,
                    durations.getOrDefault(graph.task(task).id(), Duration.ZERO).toMillis());
            last = last < 0 || path.isLonger(task, last) ? task : last;
        }
        return path.upTo(last);
    }

    private void reach(int task, long ms) {
        int longest = -1;
        for (int need : graph.needs(task)) {
            longest = longest < 0 || isLonger(need, longest) ? need : longest;
        }
        before[task] = longest;
        time[task] = ms + (longest < 0 ? 0 : time[longest]);
        hops[task] = 1 + (longest < 0 ? 0 : hops[longest]);
    }

    private boolean isLonger(int one, int other) {
        return time[one] == time[other] ? hops[one] > hops[other] : time[one] > time[other];
    }

    private List<String> upTo(int last) {
        Deque<String> path = new ArrayDeque<>();
        for (int task = last; task >= 0; task = before[task]) {
            path.push(graph.task(task).id());
        }
        return List.copyOf(path);
    }
}
