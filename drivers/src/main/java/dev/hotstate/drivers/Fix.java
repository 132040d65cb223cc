package dev.hotstate.drivers;

import dev.hotstate.core.Flaws;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a driver says it is.
 *
 * @param seq orders a driver's fixes where it and the last one both have it; else {@code at} does
 * @param at when it was there by its own clock; null is now, by Redis's
 * @param heading in degrees from north, 0 to 360
 * @param speed in km/h
 */
public record Fix(
        String id,
        double lat,
        double lon,
        @Nullable Long seq,
        @Nullable Instant at,
        @Nullable Double heading,
        @Nullable Double speed) {
    // What a script can still count with exactly; as a time in microseconds, the year 2255.
    private static final long MOST_EXACT = RedisFixes.MOST_SEQ;
    private static final Instant LATEST = Instant.ofEpochSecond(MOST_EXACT / 1_000_000);
    private static final double FASTEST = 2_000;

    /** @throws dev.hotstate.core.InvalidDocumentException naming each field that does not fit */
    public Fix {
        if (!(Ranges.isId(id)
                && Ranges.fits(lat, -Cell.MOST_LAT, Cell.MOST_LAT)
                && Ranges.fits(lon, -180, 180)
                && isSeq(seq)
                && isTime(at)
                && Ranges.fits(heading, 0, 360)
                && Ranges.fits(speed, 0, FASTEST))) {
            Flaws flaws = Ranges.place(new Flaws().id("id", id), lat, lon)
                    .that(isSeq(seq), "seq", "must be from 0 to 2^53 - 1, not " + seq)
                    .that(isTime(at), "at", "must be a time from 1970 to 2255, not " + at);
            Ranges.between(flaws, "heading", heading, 0, 360);
            Ranges.between(flaws, "speed", speed, 0, FASTEST).refuse();
        }
    }

    public static Fix of(String id, double lat, double lon) {
        return new Fix(id, lat, lon, null, null, null, null);
    }

    private static boolean isSeq(@Nullable Long seq) {
        return seq == null || (seq >= 0 && seq <= MOST_EXACT);
    }

    private static boolean isTime(@Nullable Instant at) {
        return at == null || (!at.isBefore(Instant.EPOCH) && at.isBefore(LATEST));
    }
}
