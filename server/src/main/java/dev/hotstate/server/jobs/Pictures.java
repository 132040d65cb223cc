package dev.hotstate.server.jobs;

import dev.hotstate.jobs.graph.Graph;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Pictures of the jobs that were looked at last: the states in them change, their places do not. */
final class Pictures {
    private static final int REMEMBERED = 100;
    private static final int LARGEST_REMEMBERED = 20_000;

    private final Map<String, Picture> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Picture> eldest) {
            return size() > REMEMBERED;
        }
    };

    // One layout at a time: it keeps a core busy, and there are others who need them.
    private final ReentrantLock drawing = new ReentrantLock();

    Picture of(Graph graph, int epoch) {
        String key = graph.job().id() + " " + epoch;
        drawing.lock();
        try {
            Picture picture = known.get(key);
            if (picture == null || picture.layers().length != graph.size()) {
                picture = drawn(graph);
                if (graph.size() <= LARGEST_REMEMBERED) {
                    known.put(key, picture);
                }
            }
            return picture;
        } finally {
            drawing.unlock();
        }
    }

    private static Picture drawn(Graph graph) {
        return ElkLayout.fits(graph)
                ? ElkLayout.of(graph).orElseGet(() -> LayerLayout.of(graph))
                : LayerLayout.of(graph);
    }
}
