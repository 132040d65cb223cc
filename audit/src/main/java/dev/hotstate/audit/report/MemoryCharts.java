package dev.hotstate.audit.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Where the memory is, drawn in SVG. Colours come from the page's style. */
final class MemoryCharts {
    private static final int WIDTH = 900;
    private static final int ROW = 26;
    private static final int LABEL = 240;
    private static final int VALUE = 130;
    private static final int MOST_BARS = 15;
    private static final int COLOURS = 6;
    private static final int LONGEST_NAME = 34;

    private MemoryCharts() {}

    private record Part(String name, long bytes) {}

    /** One bar for all memory in use, divided into what it is for, and a legend. */
    static String whole(Memory memory) {
        List<Part> parts = new ArrayList<>();
        parts.add(new Part("families", memory.attributed()));
        memory.explained().entrySet().stream()
                .map(entry -> new Part(entry.getKey().replace('_', ' '), entry.getValue()))
                .filter(part -> part.bytes() > 0)
                .sorted(Comparator.comparingLong(Part::bytes).reversed())
                .forEach(parts::add);
        long sum = Math.max(
                1, parts.stream().mapToLong(part -> Math.max(0, part.bytes())).sum());
        int height = 44 + ROW * parts.size();
        StringBuilder svg = open(height, "Memory in use by what it is for");
        double x = 0;
        for (int i = 0; i < parts.size(); i++) {
            double width = (double) WIDTH * Math.max(0, parts.get(i).bytes()) / sum;
            svg.append(rect(colour(i), x, 0, Math.max(0, width - 1), 28));
            x += width;
        }
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            int y = 44 + ROW * i;
            svg.append(rect(colour(i), 0, y, 12, 12));
            svg.append(text("", "start", 22, y + 11, part.name()));
            svg.append(text(
                    "faint",
                    "end",
                    WIDTH,
                    y + 11,
                    Figures.bytes(part.bytes()) + ", " + Figures.share((double) part.bytes() / sum)));
        }
        return svg.append("</svg>").toString();
    }

    /** A bar for each of the largest families. */
    static String families(Report report) {
        List<FamilyReport> largest = report.families().stream()
                .filter(family -> family.bytes() > 0)
                .sorted(Comparator.comparingLong(FamilyReport::bytes).reversed().thenComparing(FamilyReport::name))
                .limit(MOST_BARS)
                .toList();
        StringBuilder svg = open(Math.max(ROW, ROW * largest.size()), "Memory by family, the largest first");
        for (int i = 0; i < largest.size(); i++) {
            FamilyReport family = largest.get(i);
            int y = ROW * i;
            double share = (double) family.bytes() / largest.getFirst().bytes();
            svg.append(text("", "start", 0, y + 16, cut(family.name())));
            svg.append(rect("bar", LABEL, y + 5, Math.max(1, share * (WIDTH - LABEL - VALUE)), 14));
            svg.append(text("faint", "end", WIDTH, y + 16, Figures.bytes(family.bytes())));
        }
        return svg.append("</svg>").toString();
    }

    private static StringBuilder open(int height, String label) {
        return new StringBuilder("<svg role=\"img\" viewBox=\"0 0 " + WIDTH + " " + height + "\" aria-label=\""
                + Markup.text(label) + "\">");
    }

    private static String rect(String style, double x, double y, double width, double height) {
        return String.format(
                Locale.ROOT,
                "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"2\"/>",
                style,
                x,
                y,
                width,
                height);
    }

    private static String text(String style, String anchor, int x, int y, String text) {
        return "<text class=\"" + style + "\" text-anchor=\"" + anchor + "\" x=\"" + x + "\" y=\"" + y + "\">"
                + Markup.text(text) + "</text>";
    }

    private static String colour(int i) {
        return "c" + Math.min(i + 1, COLOURS);
    }

    private static String cut(String name) {
        return name.codePointCount(0, name.length()) <= LONGEST_NAME
                ? name
                : name.substring(0, name.offsetByCodePoints(0, LONGEST_NAME - 1)) + "…";
    }
}
