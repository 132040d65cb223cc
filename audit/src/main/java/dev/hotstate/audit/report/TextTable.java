package dev.hotstate.audit.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Columns for a terminal: the first is for names and is cut where the line is too short, the others are numbers. */
final class TextTable {
    private static final String GAP = "  ";
    private static final int SHORTEST_NAME = 12;

    private final List<List<String>> rows = new ArrayList<>();

    TextTable(String... heading) {
        rows.add(List.of(heading));
    }

    void add(String... cells) {
        rows.add(List.of(cells));
    }

    /** The heading first; the lines end without blanks. */
    List<String> lines(int width) {
        int columns = rows.getFirst().size();
        int[] widths = IntStream.range(0, columns)
                .map(i ->
                        rows.stream().mapToInt(row -> length(row.get(i))).max().orElse(0))
                .toArray();
        int others =
                IntStream.range(1, columns).map(i -> widths[i] + GAP.length()).sum();
        widths[0] = Math.min(widths[0], Math.max(SHORTEST_NAME, width - others));
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder(padded(cut(row.getFirst(), widths[0]), widths[0], false));
        for (int i = 1; i < widths.length; i++) {
            line.append(GAP).append(padded(row.get(i), widths[i], true));
        }
        return line.toString().stripTrailing();
    }

    private static String cut(String text, int width) {
        return length(text) <= width
                ? text
                : text.substring(0, text.offsetByCodePoints(0, Math.max(0, width - 1))) + "…";
    }

    private static String padded(String text, int width, boolean right) {
        String blanks = " ".repeat(Math.max(0, width - length(text)));
        return right ? blanks + text : text + blanks;
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
