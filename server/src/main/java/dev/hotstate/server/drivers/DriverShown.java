package dev.hotstate.server.drivers;

import dev.hotstate.drivers.DriverView;
import dev.hotstate.drivers.Status;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A driver as it is answered. */
record DriverShown(
        String id,
        Status status,
        String region,
        @Nullable String name,
        @Nullable String vehicle,
        @Nullable Double rating,
        List<String> tags,
        @Nullable Double lat,
        @Nullable Double lon,
        @Nullable Double heading,
        @Nullable Double speed,
        @Nullable Long seq,
        @Nullable Instant at,
        @Nullable Instant seenAt,
        @Nullable Instant since,
        @Nullable Instant reservedUntil) {
    static DriverShown of(DriverView driver) {
        var profile = driver.profile();
        return new DriverShown(
                driver.id(),
                driver.status(),
                driver.region(),
                profile.name(),
                profile.vehicle(),
                profile.rating(),
                profile.tags(),
                degrees(driver.lat()),
                degrees(driver.lon()),
                driver.heading(),
                driver.speed(),
                driver.seq(),
                driver.at(),
                driver.seenAt(),
                driver.since(),
                driver.reservedUntil());
    }

    /** Seven decimals: a centimetre, when the cell that a place stands for is half a metre. */
    static double degrees(double value) {
        return Math.round(value * 1e7) / 1e7;
    }

    private static @Nullable Double degrees(@Nullable Double value) {
        return value == null ? null : degrees(value.doubleValue());
    }

    /** From whole millimetres, without what a division would add. */
    static double kilometres(double metres) {
        return Math.round(metres * 1e3) / 1e6;
    }
}
