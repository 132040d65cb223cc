package dev.hotstate.server.jobs;

import dev.hotstate.jobs.graph.Graph;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * The plain layout, for jobs of any size: a column a layer, and in it the tasks near to those that they need. One pass,
 * so its time grows with tasks and edges alone (and their sorting).
 */
final class LayerLayout {
    private static final double ROW = Picture.HEIGHT + 14;

    private LayerLayout() {}

    static Picture of(Graph graph) {
        int[] layers = graph.layers();
        double[] rows = new double[graph.size()];
        double tallest = 0;
        List<List<Integer>> columns = columns(graph, layers);
        for (List<Integer> column : columns) {
            var wanted = new double[column.size()];
            for (int i = 0; i < column.size(); i++) {
                wanted[i] = middle(graph.needs(column.get(i)), rows, i);
            }
            order(column, wanted, rows);
            tallest = Math.max(tallest, column.size());
        }
        return new Picture(layers, centred(columns, rows, tallest));
    }

    private static List<List<Integer>> columns(Graph graph, int[] layers) {
        List<List<Integer>> columns = new ArrayList<>();
        for (int task = 0; task < graph.size(); task++) {
            while (columns.size() <= layers[task]) {
                columns.add(new ArrayList<>());
            }
            columns.get(layers[task]).add(task);
        }
        return columns;
    }

    private static double middle(Collection<Integer> needs, double[] rows, double otherwise) {
        return needs.stream().mapToDouble(need -> rows[need]).average().orElse(otherwise);
    }

    private static void order(List<Integer> column, double[] wanted, double[] rows) {
        List<Integer> places = new ArrayList<>();
        for (int i = 0; i < column.size(); i++) {
            places.add(i);
        }
        places.sort(Comparator.comparingDouble(place -> wanted[place]));
        for (int row = 0; row < places.size(); row++) {
            rows[column.get(places.get(row))] = row;
        }
    }

    private static double[] centred(List<List<Integer>> columns, double[] rows, double tallest) {
        double[] y = new double[rows.length];
        for (List<Integer> column : columns) {
            double above = (tallest - column.size()) / 2;
            for (int task : column) {
                y[task] = (above + rows[task]) * ROW;
            }
        }
        return y;
    }
}
