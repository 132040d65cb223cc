package dev.hotstate.limits;

/**
 * One of those that were denied most.
 *
 * <p>What is shown was denied; some of it may be missing. An instance keeps {@value TallyDenials#MOST} subjects between
 * two flushes, and where there are more it forgets the least denied of them, together at most a five-hundredth of its
 * denials of that second for any one subject; Redis keeps as many for each ten minutes. So whoever stands out is here,
 * and of a crowd that is denied alike some are. Denials by a rule in shadow, or by a closed one while Redis is away, do
 * not count.
 *
 * @param denied how often, at least
 */
public record TopSubject(String rule, String tag, String subject, long denied) {
    /** The longest list there is. */
    public static final int MOST = TallyDenials.MOST;

    static TopSubject of(CounterId counter, long denied) {
        return new TopSubject(counter.rule(), counter.tag(), counter.subject(), denied);
    }
}
