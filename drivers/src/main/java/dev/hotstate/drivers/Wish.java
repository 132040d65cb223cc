package dev.hotstate.drivers;

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
        String holder) {}
