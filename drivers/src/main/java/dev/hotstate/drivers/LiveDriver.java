package dev.hotstate.drivers;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A driver as Redis has it. */
record LiveDriver(
        String id,
        DriverLine line,
        @Nullable Double rating,
        List<String> tags,
        @Nullable Held held) {

    /** Its name and vehicle only PostgreSQL knows. */
    DriverView view(String region, @Nullable String name, @Nullable String vehicle) {
        Long cell = line.cell();
        return new DriverView(
                id,
                line.status(),
                region,
                new Profile(name, vehicle, rating, tags),
                cell == null ? null : (Double) Cell.lat(cell),
                cell == null ? null : (Double) Cell.lon(cell),
                line.heading(),
                line.speed(),
                line.seq(),
                line.at(),
                line.seenAt(),
                line.since(),
                held == null ? null : held.until());
    }
}
