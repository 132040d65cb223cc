package dev.hotstate.drivers;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A driver that {@code nearest.lua} has found. */
record Sighting(
        String id,
        long mm,
        long cell,
        DriverLine line,
        @Nullable Double rating) {
    /** Ties by id, as the script has it. */
    static final Comparator<Sighting> BY_DISTANCE =
            Comparator.comparingLong(Sighting::mm).thenComparing(Sighting::id);

    private static final int PARTS = 5;

    static List<Sighting> parse(List<String> parts) {
        List<Sighting> seen = new ArrayList<>(parts.size() / PARTS);
        for (int i = 0; i < parts.size(); i += PARTS) {
            seen.add(new Sighting(
                    parts.get(i),
                    Long.parseLong(parts.get(i + 1)),
                    Long.parseLong(parts.get(i + 2)),
                    DriverLine.parse(parts.get(i + 3)),
                    KeptProfile.rating(parts.get(i + 4))));
        }
        return seen;
    }

    double metres() {
        return mm / 1000.0;
    }

    double lat() {
        return Cell.lat(cell);
    }

    double lon() {
        return Cell.lon(cell);
    }

    Candidate candidate(Instant now) {
        Instant seenAt = line.seenAt() == null ? line.since() : line.seenAt();
        Duration idle = Duration.between(line.since(), now);
        return new Candidate(id, metres(), lat(), lon(), seenAt, idle.isNegative() ? Duration.ZERO : idle, rating);
    }
}
