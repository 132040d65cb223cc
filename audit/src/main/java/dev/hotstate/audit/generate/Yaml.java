package dev.hotstate.audit.generate;

/** A text in YAML, whatever it holds. */
final class Yaml {
    private Yaml() {}

    /** A double-quoted string of JSON is one of YAML as well. */
    static String quoted(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~' && !Character.isLetterOrDigit(c)) {
                out.append(String.format("\\u%04X", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }
}
