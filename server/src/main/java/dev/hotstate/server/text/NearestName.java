package dev.hotstate.server.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds what a misspelt name was probably meant to be. */
public final class NearestName {
    // Longer input is not a typing error, and comparing it costs its length times that of every name.
    private static final int LONGEST = 64;

    private NearestName() {}

    /** {@code ; did you mean "interval"?}, for the end of a sentence; empty when no name is near: a third of it wrong. */
    public static Optional<String> hint(String given, Collection<String> names) {
        if (given.length() > LONGEST) {
            return Optional.empty();
        }
        return names.stream()
                .filter(name -> distance(given, name) <= Math.max(1, name.length() / 3))
                .min(Comparator.comparingInt((String name) -> distance(given, name))
                        .thenComparing(Comparator.naturalOrder()))
                .map(name -> "; did you mean \"" + name + "\"?");
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
