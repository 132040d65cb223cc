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

    /**
     * One that PostgreSQL has as AVAILABLE though nobody hears of it.
     *
     * @param driver as Redis has it, OFFLINE; null where Redis does not
     */
    static Behind silent(StoredDriver row, @Nullable LiveDriver driver) {
        Instant since =
                driver == null ? row.since() : newest(row.since(), driver.line().since());
        return new Behind(row.id(), row.region(), row.epoch(), row.version(), Status.OFFLINE, since, null, null);
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
                newestOf(seenAt, other.seenAt),
                newer(last, other.last));
    }

    private boolean isLaterThan(Behind other) {
        return version != other.version ? version > other.version : since.isAfter(other.since);
    }

    private static @Nullable Instant newestOf(@Nullable Instant one, @Nullable Instant other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return newest(one, other);
    }

    private static Instant newest(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static @Nullable LastFix newer(@Nullable LastFix one, @Nullable LastFix other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return FixOrder.isNewer(one.seq(), one.at(), other.seq(), other.at()) ? after(one, other) : after(other, one);
    }

    /** A seq is remembered through fixes without one. */
    private static LastFix after(LastFix last, LastFix before) {
        return last.seq() != null || before.seq() == null
                ? last
                : new LastFix(last.cell(), last.heading(), last.speed(), before.seq(), last.at());
    }
}
