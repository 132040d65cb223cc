package dev.hotstate.audit.checks;

/** Patterns of ACL rules. */
final class Glob {
    private Glob() {}

    /** Whether all that the narrow pattern matches, the wide one does too: its stars are matched by stars alone. */
    static boolean covers(String wide, String narrow) {
        return covers(wide, 0, narrow, 0);
    }

    private static boolean covers(String wide, int w, String narrow, int n) {
        if (w == wide.length()) {
            return n == narrow.length();
        }
        char c = wide.charAt(w);
        if (c == '*') {
            for (int next = n; next <= narrow.length(); next++) {
                if (covers(wide, w + 1, narrow, next)) {
                    return true;
                }
            }
            return false;
        }
        if (n == narrow.length() || narrow.charAt(n) == '*') {
            return false;
        }
        boolean same = c == '?' || c == narrow.charAt(n);
        return same && covers(wide, w + 1, narrow, n + 1);
    }
}
