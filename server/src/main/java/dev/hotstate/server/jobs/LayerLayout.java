package dev.hotstate.server.jobs;

import dev.hotstate.jobs.graph.Graph;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The plain layout, for jobs of any size: a column a layer, and in it the tasks near to those that they need; a layer of
 * many tasks is folded into several columns, so that the whole is not a line too thin to see. One pass, so its time grows
 * with tasks and edges alone (and their sorting).
 */
final class LayerLayout {
    /** Tasks that may stand one below the other, unless a layer has so many that it would be wider than a screen is. */
    static final int TALLEST = 60;

    private static final double ROW = Picture.HEIGHT + 14;
    private static final double SUB_COLUMN = Picture.WIDTH + 30;
    private static final double SCREEN = 2;

    private final int[] layers;
    private final List<List<Integer>> columns;
    private final double[] rows;
    private final int[] folds;

    private LayerLayout(int[] layers) {
        this.layers = layers;
        this.columns = columns(layers);
        this.rows = new double[layers.length];
        this.folds = new int[layers.length];
    }

    static Picture of(Graph graph) {
        var layout = new LayerLayout(graph.layers());
        double[] wanted = new double[graph.size()];
        for (List<Integer> column : layout.columns) {
            for (int task : column) {
                wanted[task] = middle(graph.needs(task), layout.rows, task);
            }
            layout.arrange(column, wanted);
        }
        return layout.picture();
    }

    /** Tasks one below the other in the order that they are given, whatever room was between them. */
    static Picture stacked(int[] layers, double[] order) {
        var layout = new LayerLayout(layers);
        layout.columns.forEach(column -> layout.arrange(column, order));
        return layout.picture();
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

    /** Row by row, so that the order from top to bottom stays what is wanted. */
    private void arrange(List<Integer> column, double[] wanted) {
        column.sort(Comparator.comparingDouble(task -> wanted[task]));
        int wide = folds(column.size());
        for (int place = 0; place < column.size(); place++) {
            rows[column.get(place)] = place / wide;
            folds[column.get(place)] = place % wide;
        }
    }

    /** Into how many columns so many tasks are folded. */
    private static int folds(int tasks) {
        double tall = Math.max(TALLEST, Math.ceil(Math.sqrt(tasks * SUB_COLUMN / (SCREEN * ROW))));
        return (int) Math.max(1, Math.ceil(tasks / tall));
    }

    private Picture picture() {
        int tallest = columns.stream().mapToInt(LayerLayout::tall).max().orElse(0);
        double[] x = new double[layers.length];
        double[] y = new double[layers.length];
        double left = 0;
        for (List<Integer> column : columns) {
            double above = (tallest - tall(column)) / 2.0;
            for (int task : column) {
                x[task] = left + folds[task] * SUB_COLUMN;
                y[task] = (above + rows[task]) * ROW;
            }
            left += (folds(column.size()) - 1) * SUB_COLUMN + Picture.COLUMN;
        }
        return new Picture(layers, x, y);
    }

    private static int tall(List<Integer> column) {
        return Math.ceilDiv(column.size(), folds(column.size()));
    }
}
