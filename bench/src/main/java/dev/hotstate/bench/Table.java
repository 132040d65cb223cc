package dev.hotstate.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Figures as a person reads them. */
final class Table {
    private static final List<String> HEAD = List.of("benchmark", "subject", "metric", "value", "unit", "ratio");
    private static final int VALUE = 3;

    private Table() {}

    static String of(List<Figure> figures) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        figures.forEach(figure -> rows.add(cells(figure)));
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < HEAD.size(); column++) {
                line.append("  ").append(padded(row.get(column), width(rows, column), column == VALUE));
            }
            text.append(line.toString().stripTrailing()).append(System.lineSeparator());
        }
        return text.toString();
    }

    private static List<String> cells(Figure figure) {
        return List.of(
                figure.benchmark(),
                figure.subject(),
                figure.metric(),
                String.format(Locale.ROOT, "%,.1f", figure.value()),
                figure.unit(),
                figure.ratioTo() == null
                        ? ""
                        : String.format(Locale.ROOT, "%.2f of %s", figure.ratio(), figure.ratioTo()));
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
    }

    private static String padded(String cell, int width, boolean right) {
        String space = " ".repeat(width - cell.length());
        return right ? space + cell : cell + space;
    }
}
