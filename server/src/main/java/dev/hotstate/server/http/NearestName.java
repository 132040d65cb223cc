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

    /** How many letters must be put in, left out or changed (Levenshtein). */
    private static int distance(String a, String b) {
        var row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}
