package dev.hotstate.server.jobs;

import dev.hotstate.jobs.graph.Graph;
import java.util.ArrayList;
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
        List<List<Integer>> columns = columns(layers);
        double[] wanted = new double[graph.size()];
        for (List<Integer> column : columns) {
            for (int task : column) {
                wanted[task] = middle(graph.needs(task), rows, task);
            }
            arrange(column, wanted, rows);
        }
        return new Picture(layers, centred(columns, rows));
    }

    /** Tasks one below the other in the order that they are given, whatever room was between them. */
    static Picture stacked(int[] layers, double[] order) {
        double[] rows = new double[layers.length];
        List<List<Integer>> columns = columns(layers);
        columns.forEach(column -> arrange(column, order, rows));
        return new Picture(layers, centred(columns, rows));
    }

    private static List<List<Integer>> columns(int[] layers) {
        List<List<Integer>> columns = new ArrayList<>();
        for (int task = 0; task < layers.length; task++) {
            while (columns.size() <= layers[task]) {
                columns.add(new ArrayList<>());
            }
            columns.get(layers[task]).add(task);
        }
        return columns;
    }

    private static double middle(List<Integer> needs, double[] rows, double otherwise) {
        return needs.stream().mapToDouble(need -> rows[need]).average().orElse(otherwise);
    }

    private static void arrange(List<Integer> column, double[] wanted, double[] rows) {
        column.sort(Comparator.comparingDouble(task -> wanted[task]));
        for (int row = 0; row < column.size(); row++) {
            rows[column.get(row)] = row;
        }
    }

    private static double[] centred(List<List<Integer>> columns, double[] rows) {
        int tallest = columns.stream().mapToInt(List::size).max().orElse(0);
        double[] y = new double[rows.length];
        for (List<Integer> column : columns) {
            double above = (tallest - column.size()) / 2.0;
            for (int task : column) {
                y[task] = (above + rows[task]) * ROW;
            }
        }
        return y;
    }
}
