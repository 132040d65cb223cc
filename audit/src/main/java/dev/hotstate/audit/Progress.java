package dev.hotstate.audit;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Who wants to know how far an audit is, a few times a second, and may end it early. */
@FunctionalInterface
public interface Progress {
    /** Nobody does. */
    Progress NONE = step -> true;

    /**
     * @param phase in a few words: {@code names}, {@code samples}, {@code rules}
     * @param done keys of this phase
     * @param total keys it will be, as far as is known; 0 where it is not
     * @param perSecond keys
     * @param left null where it is not known
     */
    record Step(
            String phase,
            long done,
            long total,
            double perSecond,
            @Nullable Duration left) {}

    /** @return whether to go on; if not, the audit stops, leaves what it has in its resume file, and reports that much */
    boolean at(Step step);
}
