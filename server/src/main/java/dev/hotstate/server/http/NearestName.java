package dev.hotstate.server.http;

import java.util.Collection;
import java.util.Comparator;

/** Finds the name that was probably meant. */
final class NearestName {
    // Longer input is not a typing error, and comparing it costs its length times that of every name.
    private static final int LONGEST = 64;

    private NearestName() {}

    /** {@code ; did you mean "interval"?}, or nothing when no name is near: at most a third of it wrong. */
    static String hint(String given, Collection<String> names) {
        if (given.length() > LONGEST) {
            return "";
        }
        return names.stream()
                .filter(name -> distance(given, name) <= Math.max(1, name.length() / 3))
                .min(Comparator.comparingInt(name -> distance(given, name)))
                .map(name -> "; did you mean \"" + name + "\"?")
                .orElse("");
    }

    /** How many letters must be put in, left out, changed or swapped with the next one. */
    private static int distance(String a, String b) {
        var table = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                table[i][j] = i == 0 || j == 0 ? i + j : cheapest(table, a, b, i, j);
            }
        }
        return table[a.length()][b.length()];
    }

    private static int cheapest(int[][] table, String a, String b, int i, int j) {
        int change = table[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        int best = Math.min(change, 1 + Math.min(table[i - 1][j], table[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, table[i - 2][j - 2] + 1) : best;
    }
}
