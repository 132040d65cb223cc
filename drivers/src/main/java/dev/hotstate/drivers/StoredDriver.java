package dev.hotstate.drivers;

import dev.hotstate.core.Partition;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A driver as PostgreSQL has it. What was decided is as it is; where it is may be a second old.
 *
 * @param epoch how often it changed its region
 * @param cameFrom the region that it left last
 * @param version of what was decided of it
 * @param chosen whether it is OFFLINE by request
 * @param last null before its first fix
 * @param forgotten whether Redis has let go of it
 */
record StoredDriver(
        String id,
        String region,
        long epoch,
        @Nullable String cameFrom,
        long version,
        Status status,
        boolean chosen,
        Instant since,
        Profile profile,
        @Nullable LastFix last,
        @Nullable Instant seenAt,
        @Nullable Held held,
        boolean forgotten) {

    record LastFix(
            long cell,
            @Nullable Double heading,
            @Nullable Double speed,
            @Nullable Long seq,
            Instant at) {}

    Partition partition() {
        return new Partition(region);
    }

    /** Nothing was decided of it, and it was in no other region. */
    boolean isFresh() {
        return epoch == 1 && version == 0 && cameFrom == null;
    }

    DriverView view() {
        return new DriverView(
                id,
                status,
                region,
                profile,
                last == null ? null : (Double) Cell.lat(last.cell()),
                last == null ? null : (Double) Cell.lon(last.cell()),
                last == null ? null : last.heading(),
                last == null ? null : last.speed(),
                last == null ? null : last.seq(),
                last == null ? null : last.at(),
                seenAt,
                since,
                held == null ? null : held.until());
    }
}
