package dev.hotstate.drivers;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A driver that was found.
 *
 * @param distance in metres, in whole millimetres; those of one distance are ordered by id
 * @param idle how long it has been AVAILABLE
 */
public record Candidate(
        String id,
        double distance,
        double lat,
        double lon,
        Instant seenAt,
        Duration idle,
        @Nullable Double rating) {}
