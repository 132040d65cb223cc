package dev.hotstate.core;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a feature comes back from PostgreSQL: a page at a time, so that it can be taken up where a dead rebuilder left it.
 * Loading a page twice must leave what loading it once does.
 */
@FunctionalInterface
public interface Rebuild {

    /**
     * Loads one page of a partition, that was wiped before the first. A page should take well under the rebuild's lease
     * (ten seconds), or another instance takes the rebuild over.
     *
     * @param cursor where the last page ended; null for the first
     * @param pass what each script must be shown; a zombie's is refused
     */
    Page load(Partition partition, Pass pass, @Nullable String cursor);

    /** How many entries a page had, and where the next begins; empty after the last. */
    record Page(long entries, Optional<String> next) {
        public static Page last(long entries) {
            return new Page(entries, Optional.empty());
        }

        public static Page upTo(long entries, String next) {
            return new Page(entries, Optional.of(next));
        }
    }
}
