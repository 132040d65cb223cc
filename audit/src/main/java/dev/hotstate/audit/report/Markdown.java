package dev.hotstate.audit.report;

/** Text in a Markdown page, also in a cell of a table, that means nothing but itself. */
public final class Markdown {
    private Markdown() {}

    public static String text(String text) {
        return Printable.of(text)
                .replaceAll("([\\\\|*_`\\[\\]~#!])", "\\\\$1")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }

    /** In backticks: more of them than any run of them in the text, since nothing escapes one there. */
    public static String code(String text) {
        String shown = Printable.of(text).replace("|", "\\|");
        String fence = "`";
        while (shown.contains(fence)) {
            fence += "`";
        }
        boolean padded = shown.isEmpty() || shown.startsWith("`") || shown.endsWith("`");
        return fence + (padded ? " " + shown + " " : shown) + fence;
    }
}
