package dev.hotstate.drivers;

import java.time.Instant;

/**
 * A driver that is held for somebody.
 *
 * @param fence grows with each reservation of a driver; what shows another one is stale
 */
public record Reservation(
        String id,
        String fence,
        String holder,
        String driver,
        double distance,
        double lat,
        double lon,
        Instant expiresAt) {}
