package dev.hotstate.core;

/** What a mutating script is shown: the incarnation that its caller knows to be ready, or the one that it rebuilds. */
public sealed interface Pass {
    long incarnation();

    /** The text that the guard compares. */
    @Override
    String toString();

    /** For everyone, while the partition is ready. */
    record Ready(long incarnation) implements Pass {
        @Override
        public String toString() {
            return Long.toString(incarnation);
        }
    }

    /** For the one rebuilder; a later rebuilder of the same incarnation has a greater token. */
    record Rebuilder(long incarnation, long token) implements Pass {
        @Override
        public String toString() {
            return incarnation + ":" + token;
        }
    }

    static Pass parse(String text) {
        int colon = text.indexOf(':');
        return colon < 0
                ? new Ready(Long.parseLong(text))
                : new Rebuilder(Long.parseLong(text.substring(0, colon)), Long.parseLong(text.substring(colon + 1)));
    }
}
