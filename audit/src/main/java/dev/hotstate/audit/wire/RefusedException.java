package dev.hotstate.audit.wire;

import dev.hotstate.core.HotstateException;

/** A node answered that it will not do what nothing can be done without. Its connection goes on. */
public final class RefusedException extends HotstateException {
    private static final long serialVersionUID = 1L;

    private final String words;

    /** @param words the server's, printable */
    RefusedException(String message, String words) {
        super(message + ": " + words, null);
        this.words = words;
    }

    /** The server's words, printable. */
    public String words() {
        return words;
    }

    /** Whether it may do it in a moment: while it reads its file, or a script runs. */
    public boolean passes() {
        return words.startsWith("LOADING") || words.startsWith("BUSY");
    }
}
