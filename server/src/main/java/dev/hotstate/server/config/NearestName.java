package dev.hotstate.server.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds what a misspelt name was probably meant to be. */
final class NearestName {
    private NearestName() {}

    /** The end of a sentence about an unknown name: the nearest known one, or nothing if none is near. */
    static String hint(String unknown, Collection<String> known) {
        return known.stream()
                .min(Comparator.comparingInt((String name) -> distance(unknown, name))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(nearest -> distance(unknown, nearest) <= Math.max(2, unknown.length() / 2))
                .map(nearest -> "; did you mean \"" + nearest + "\"?")
                .orElse("; docs/configuration.md lists the known ones");
    }

    /** Edits (insert, delete, replace, swap of neighbours) between two names, ignoring case. */
    static int distance(String left, String right) {
        var a = left.toLowerCase(Locale.ROOT);
        var b = right.toLowerCase(Locale.ROOT);
        var edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : cheapest(edits, a, b, i, j);
            }
        }
        return edits[a.length()][b.length()];
    }

    private static int cheapest(int[][] edits, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(edits[i - 1][j - 1] + (same ? 0 : 1), Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
    }
}
