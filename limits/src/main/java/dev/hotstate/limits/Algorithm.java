package dev.hotstate.limits;

/**
 * How a rule counts. What each may let through in <em>any</em> stretch of one window, with a limit of L (and once more
 * for each time that Redis loses the counters):
 */
public enum Algorithm {
    /** One count a window, which begins with its first call. At most 2 L: the end of one window and the start of the next. */
    FIXED_WINDOW,
    /** Two counts, the last window's weighted by how much of it is still in sight. Less than 2 L, about L in steady traffic. */
    SLIDING_WINDOW,
    /** The time of each unit. Exactly L, for the memory of L entries a subject. */
    SLIDING_LOG,
    /** A bucket of {@code burst} that refills at L a window (GCRA). At most L + burst. */
    TOKEN_BUCKET
}
