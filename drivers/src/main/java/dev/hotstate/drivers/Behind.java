package dev.hotstate.drivers;

import dev.hotstate.drivers.StoredDriver.LastFix;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What Redis knows of a driver, on its way to PostgreSQL: a fix that it took, or that it fell silent.
 *
 * @param version of what was decided of it, as Redis knew: the status counts only where nothing was decided since
 * @param seenAt null where it fell silent; and so is {@code last}
 */
record Behind(
        String id,
        String region,
        long epoch,
        long version,
        Status status,
        Instant since,
        @Nullable Instant seenAt,
        @Nullable LastFix last) {

    static Behind fix(String region, CellFix fix, FixReply.Accepted taken) {
        return new Behind(
                fix.id(),
                region,
                taken.epoch(),
                taken.version(),
                taken.status(),
                taken.since(),
                taken.seenAt(),
                new LastFix(fix.cell(), fix.heading(), fix.speed(), fix.seq(), taken.at()));
    }

    static Behind silent(String region, RedisSweeps.Silent driver, Instant since) {
        return new Behind(driver.id(), region, 1, driver.version(), Status.OFFLINE, since, null, null);
    }

    /** One as Redis has it; nothing was heard of it now. */
    static Behind seen(String region, LiveDriver driver) {
        DriverLine line = driver.line();
        return new Behind(driver.id(), region, line.epoch(), line.version(), line.status(), line.since(), null, null);
    }

    /** Both in one: the later status, the newer place. */
    Behind with(Behind other) {
        Behind later = isLaterThan(other) ? this : other;
        return new Behind(
                id,
                later.region,
                later.epoch,
                later.version,
                later.status,
                later.since,
                newest(seenAt, other.seenAt),
                newer(last, other.last));
    }

    private boolean isLaterThan(Behind other) {
        return version != other.version ? version > other.version : since.isAfter(other.since);
    }

    private static @Nullable Instant newest(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.isAfter(other) ? one : other;
    }

    private static @Nullable LastFix newer(@Nullable LastFix one, @Nullable LastFix other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return FixOrder.isNewer(one.seq(), one.at(), other.seq(), other.at()) ? one : other;
    }
}
