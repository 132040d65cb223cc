package dev.hotstate.server.drivers;

import dev.hotstate.drivers.Fix;
import dev.hotstate.server.http.Check;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where a driver says it is, as it is sent. */
record LocationBody(
        @Nullable Double lat,
        @Nullable Double lon,
        @Nullable Long seq,
        @Nullable Instant at,
        @Nullable Double heading,
        @Nullable Double speed) {
    Fix fix(String id) {
        new Check().given(lat, "lat").given(lon, "lon").refuse();
        return new Fix(id, Objects.requireNonNull(lat), Objects.requireNonNull(lon), seq, at, heading, speed);
    }

    /** The same in a batch, where each says whose it is. */
    record Item(
            @Nullable String id,
            @Nullable Double lat,
            @Nullable Double lon,
            @Nullable Long seq,
            @Nullable Instant at,
            @Nullable Double heading,
            @Nullable Double speed) {
        Fix fix() {
            new Check()
                    .given(id, "id")
                    .id(id, "id")
                    .given(lat, "lat")
                    .given(lon, "lon")
                    .refuse();
            return new LocationBody(lat, lon, seq, at, heading, speed).fix(Objects.requireNonNull(id));
        }
    }
}
