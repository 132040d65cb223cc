package dev.hotstate.server.jobs;

import dev.hotstate.jobs.graph.Graph;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

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

    private final ReentrantLock knowing = new ReentrantLock();

    // One of the slow layouts at a time: it keeps a core busy, and there are others who need them. Whoever asks for
    // what
    // is known, or for a job that is laid out plainly, does not wait.
    private final ReentrantLock drawing = new ReentrantLock();

    Picture of(Graph graph, int epoch) {
        String key = graph.job().id() + " " + epoch;
        Picture picture = known(key, graph);
        if (picture != null) {
            return picture;
        }
        if (!ElkLayout.fits(graph)) {
            return remembered(key, LayerLayout.of(graph));
        }
        drawing.lock();
        try {
            picture = known(key, graph);
            return picture != null
                    ? picture
                    : remembered(key, ElkLayout.of(graph).orElseGet(() -> LayerLayout.of(graph)));
        } finally {
            drawing.unlock();
        }
    }

    private @Nullable Picture known(String key, Graph graph) {
        knowing.lock();
        try {
            Picture picture = known.get(key);
            return picture != null && picture.layers().length == graph.size() ? picture : null;
        } finally {
            knowing.unlock();
        }
    }

    private Picture remembered(String key, Picture picture) {
        if (picture.layers().length <= LARGEST_REMEMBERED) {
            knowing.lock();
            try {
                known.put(key, picture);
            } finally {
                knowing.unlock();
            }
        }
        return picture;
    }
}
