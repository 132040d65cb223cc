package dev.hotstate.drivers;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A fix whose place is a cell, as scripts take it. */
record CellFix(
        String id,
        long cell,
        @Nullable Long seq,
        @Nullable Instant at,
        @Nullable Double heading,
        @Nullable Double speed) {
    static CellFix of(Fix fix) {
        return new CellFix(fix.id(), Cell.of(fix.lat(), fix.lon()), fix.seq(), fix.at(), fix.heading(), fix.speed());
    }
}
