package dev.hotstate.drivers;

import dev.hotstate.drivers.StoredDriver.LastFix;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What Redis knows of a driver, on its way to PostgreSQL: a fix that it took, or that it fell silent.
 *
 * @param when it was what {@code status} says
 * @param version of what was decided of it, as Redis knew; {@link #NO_VERSION} with a fix
 * @param seenAt when something was last heard of it, if {@code last} is there
 * @param last null where it fell silent
 */
record Behind(
        String id,
        String region,
        Status status,
        Instant when,
        long version,
        @Nullable Instant seenAt,
        @Nullable LastFix last) {
    static final long NO_VERSION = -1;

    static Behind fix(String region, CellFix fix, FixReply.Accepted taken) {
        return new Behind(
                fix.id(),
                region,
                taken.status(),
                taken.seenAt(),
                NO_VERSION,
                taken.seenAt(),
                new LastFix(fix.cell(), fix.heading(), fix.speed(), fix.seq(), taken.at()));
    }

    static Behind silent(String id, String region, Instant since, long version) {
        return new Behind(id, region, Status.OFFLINE, since, version, null, null);
    }

    /** Both in one: the newer place, the later status. */
    Behind with(Behind other) {
        Behind later = when.isBefore(other.when) ? other : this;
        return new Behind(
                id,
                later.region,
                later.status,
                later.when,
                later.version,
                later.seenAt != null ? later.seenAt : (later == this ? other : this).seenAt,
                newer(last, other.last));
    }

    private static @Nullable LastFix newer(@Nullable LastFix one, @Nullable LastFix other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return FixOrder.isNewer(one.seq(), one.at(), other.seq(), other.at()) ? one : other;
    }
}
