package dev.hotstate.drivers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What PostgreSQL has decided of a driver, for Redis to follow.
 *
 * @param chosen whether it is OFFLINE by request; one that is OFFLINE otherwise is free, and AVAILABLE if it lives
 * @param alive whether the decision is a sign of life: its heartbeat counts from now
 */
record Truth(
        String id,
        long epoch,
        long version,
        Status status,
        boolean chosen,
        boolean alive,
        Instant since,
        @Nullable Held held,
        Profile profile) {}
