package dev.hotstate.audit.report;

/** Text between tags and in attributes of XML and HTML. */
final class Markup {
    private Markup() {}

    /** Controls, which XML cannot hold at all, are shown escaped. */
    static String text(String text) {
        return Printable.of(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
