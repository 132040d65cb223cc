package dev.hotstate.server.keyspace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What an {@code Accept} header asks for: its types, with their weights. */
record Accepted(List<String> ranges) {
    static Accepted of(String header) {
        return new Accepted(Arrays.stream(header.toLowerCase(Locale.ROOT).split(","))
                .map(range -> range.replace(" ", ""))
                .toList());
    }

    /** Whether it names the type and weighs it more than the other; of two with one weight the first counts. */
    boolean prefers(String type, String other) {
        double weight = weight(type);
        double others = weight(other);
        return weight > 0 && (weight > others || weight == others && place(type) < place(other));
    }

    private double weight(String type) {
        return ranges.stream()
                .filter(range -> is(range, type))
                .mapToDouble(Accepted::weightOf)
                .findFirst()
                .orElse(0);
    }

    private int place(String type) {
        for (int i = 0; i < ranges.size(); i++) {
            if (is(ranges.get(i), type)) {
                return i;
            }
        }
        return ranges.size();
    }

    private static boolean is(String range, String type) {
        return range.equals(type) || range.startsWith(type + ";");
    }

    private static double weightOf(String range) {
        int at = range.indexOf(";q=");
        if (at < 0) {
            return 1;
        }
        try {
            return Double.parseDouble(range.substring(at + 3).split(";", 2)[0]);
        } catch (NumberFormatException none) {
            return 0;
        }
    }
}
