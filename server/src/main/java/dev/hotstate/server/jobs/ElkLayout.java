package dev.hotstate.server.jobs;

import dev.hotstate.jobs.graph.Graph;
import java.util.Arrays;
import java.util.Optional;
import org.eclipse.elk.alg.layered.LayeredLayoutProvider;
import org.eclipse.elk.alg.layered.options.LayeredMetaDataProvider;
import org.eclipse.elk.alg.layered.options.LayeredOptions;
import org.eclipse.elk.core.data.LayoutMetaDataService;
import org.eclipse.elk.core.options.CoreOptions;
import org.eclipse.elk.core.options.Direction;
import org.eclipse.elk.core.util.BasicProgressMonitor;
import org.eclipse.elk.graph.ElkNode;
import org.eclipse.elk.graph.util.ElkGraphUtil;

/**
 * The layout for a job that a person looks at as a whole: few crossings, tasks beside what they need. It takes seconds for
 * 2,000 tasks and grows faster than they do, so it is for small jobs only, and is given up after a while.
 */
final class ElkLayout {
    static final int MOST_TASKS = 2_000;

    /** An edge over many layers has a place of its own in each, which counts like a task. */
    private static final int MOST_PLACES = 12_000;

    /** Beyond that the room between tasks would make them too small to see: only their order is taken. */
    private static final int MOST_SPREAD = 300;

    private static final long LONGEST_NANOS = 10_000_000_000L;
    private static final double GAP = 14;

    static {
        LayoutMetaDataService.getInstance().registerLayoutMetaDataProviders(new LayeredMetaDataProvider());
    }

    private ElkLayout() {}

    static boolean fits(Graph graph) {
        return graph.size() <= MOST_TASKS && places(graph) <= MOST_PLACES;
    }

    private static long places(Graph graph) {
        int[] layers = graph.layers();
        long places = graph.size();
        for (int task = 0; task < graph.size(); task++) {
            for (int need : graph.needs(task)) {
                places += layers[task] - layers[need];
            }
        }
        return places;
    }

    /** Empty when it would take too long. */
    static Optional<Picture> of(Graph graph) {
        ElkNode root = ElkGraphUtil.createGraph();
        root.setProperty(CoreOptions.DIRECTION, Direction.RIGHT);
        root.setProperty(CoreOptions.SPACING_NODE_NODE, GAP);
        root.setProperty(LayeredOptions.GENERATE_POSITION_AND_LAYER_IDS, true);
        root.setProperty(LayeredOptions.THOROUGHNESS, 3);
        ElkNode[] nodes = nodes(graph, root);
        var watch = new Watch(System.nanoTime() + LONGEST_NANOS);
        new LayeredLayoutProvider().layout(root, watch);
        return watch.isCanceled() ? Optional.empty() : Optional.of(picture(nodes));
    }

    private static ElkNode[] nodes(Graph graph, ElkNode root) {
        ElkNode[] nodes = new ElkNode[graph.size()];
        for (int task = 0; task < nodes.length; task++) {
            nodes[task] = ElkGraphUtil.createNode(root);
            nodes[task].setDimensions(Picture.WIDTH, Picture.HEIGHT);
        }
        for (int task = 0; task < nodes.length; task++) {
            for (int need : graph.needs(task)) {
                ElkGraphUtil.createSimpleEdge(nodes[need], nodes[task]);
            }
        }
        return nodes;
    }

    /** Its columns are as wide as its edges want them; edges are drawn as curves here, so columns are as wide as tasks. */
    private static Picture picture(ElkNode[] nodes) {
        int[] layers = new int[nodes.length];
        double[] y = new double[nodes.length];
        for (int task = 0; task < nodes.length; task++) {
            layers[task] = nodes[task].getProperty(LayeredOptions.LAYERING_LAYER_ID);
            y[task] = nodes[task].getY();
        }
        return nodes.length > MOST_SPREAD || tallest(layers) > LayerLayout.TALLEST
                ? LayerLayout.stacked(layers, y)
                : Picture.ofColumns(layers, y);
    }

    private static int tallest(int[] layers) {
        int[] tasks = new int[layers.length];
        Arrays.stream(layers).forEach(layer -> tasks[layer]++);
        return Arrays.stream(tasks).max().orElse(0);
    }

    /** Ends the work between two of its steps once its time is over. */
    private static final class Watch extends BasicProgressMonitor {
        private final long deadline;

        Watch(long deadline) {
            this.deadline = deadline;
        }

        @Override
        public boolean isCanceled() {
            return System.nanoTime() - deadline > 0;
        }
    }
}
