package dev.hotstate.limits;

/**
 * How a rule counts. What each may let through in <em>any</em> stretch of one window, with a limit of L:
 *
 * <ul>
 *   <li>once more for each time that Redis loses the counters, or that its clock goes back by more than a window;
 *   <li>with {@linkplain Rule#leasing leased quotas} the windows keep their bound, since no slice outlives its window; the
 *       log and the bucket may let through one slice more for each process, taken in one stretch and used in the next.
 * </ul>
 *
 * A changed limit, window or burst keeps what was spent, and so does a change between the two kinds of window; another
 * change of the algorithm begins anew.
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
