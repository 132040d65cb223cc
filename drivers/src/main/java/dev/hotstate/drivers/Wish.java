package dev.hotstate.drivers;

import dev.hotstate.core.Flaws;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The nearest free drivers, for a while.
 *
 * @param radius in metres
 * @param count how many at once; fewer may be given
 * @param lease how long they are held unless confirmed
 * @param holder who wants them
 */
public record Wish(
        double lat,
        double lon,
        double radius,
        int count,
        @Nullable String tag,
        Duration lease,
        String holder) {
    private static final int MOST = 100;
    private static final int LONGEST_HOLDER = 64;
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);

    /** @throws dev.hotstate.core.InvalidDocumentException naming each field that does not fit */
    public Wish {
        Flaws flaws = Ranges.radius(Ranges.place(new Flaws(), lat, lon), radius)
                .range("count", count, 1, MOST)
                .range("lease", lease, SHORTEST_LEASE, LONGEST_LEASE)
                .line("holder", holder, LONGEST_HOLDER);
        Ranges.tag(flaws, "tag", tag).refuse();
    }
}
