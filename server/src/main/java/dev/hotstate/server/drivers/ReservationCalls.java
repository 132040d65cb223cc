package dev.hotstate.server.drivers;

import static dev.hotstate.server.drivers.DriverShown.degrees;
import static dev.hotstate.server.drivers.DriverShown.kilometres;

import dev.hotstate.drivers.Drivers;
import dev.hotstate.drivers.Reservation;
import dev.hotstate.drivers.StaleReservationException;
import dev.hotstate.drivers.Wish;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The nearest drivers for a while, and what becomes of that. */
final class ReservationCalls {
    private static final Duration USUAL_LEASE = Duration.ofSeconds(30);
    private static final String SOMEBODY = "somebody";

    private final Drivers drivers;

    ReservationCalls(Drivers drivers) {
        this.drivers = drivers;
    }

    Answer reserve(Request request) {
        Wish wish = request.body(WishBody.class).wish();
        List<Reservation> reserved = drivers.reserve(wish);
        if (reserved.isEmpty()) {
            throw Problem.notFound("No driver is free there that can be reserved.");
        }
        var shown = reserved.stream().map(ReservationShown::of).toList();
        return Answer.json(201, Map.of("items", shown)).orElse(() -> reserved.forEach(this::letGo));
    }

    /** Whoever asked is gone and has not heard of it: nobody would confirm it. */
    private void letGo(Reservation reservation) {
        try {
            drivers.cancel(reservation.id(), reservation.fence());
        } catch (StaleReservationException over) {
            // It has come to its end in another way.
        }
    }

    Answer confirm(Request request) {
        String id = request.id("id");
        String fence = request.body(Confirmation.class).checked();
        drivers.confirm(id, fence);
        return Answer.ok(new Confirmed(id, "CONFIRMED"));
    }

    Answer cancel(Request request) {
        String id = request.id("id");
        String fence = request.query("fence").orElse("");
        new Check().required(fence, "fence").refuse();
        drivers.cancel(id, fence);
        return Answer.noContent();
    }

    /** Only the place must be given. */
    private record WishBody(
            @Nullable Double lat,
            @Nullable Double lon,
            @Nullable Double radius,
            @Nullable Integer count,
            @Nullable String tag,
            @Nullable Duration lease,
            @Nullable String holder) {
        Wish wish() {
            new Check().given(lat, "lat").given(lon, "lon").refuse();
            return new Wish(
                    Objects.requireNonNull(lat),
                    Objects.requireNonNull(lon),
                    Objects.requireNonNullElse(radius, SearchCalls.USUAL_RADIUS_KM) * 1_000,
                    Objects.requireNonNullElse(count, 1),
                    tag,
                    Objects.requireNonNullElse(lease, USUAL_LEASE),
                    Objects.requireNonNullElse(holder, SOMEBODY));
        }
    }

    private record Confirmation(@Nullable String fence) {
        String checked() {
            new Check().required(fence, "fence").refuse();
            return Objects.requireNonNull(fence);
        }
    }

    private record Confirmed(String reservation, String state) {}

    private record ReservationShown(String reservation, String fence, Reserved driver, Instant expiresAt) {
        record Reserved(String id, double distanceKm, double lat, double lon) {}

        static ReservationShown of(Reservation reservation) {
            return new ReservationShown(
                    reservation.id(),
                    reservation.fence(),
                    new Reserved(
                            reservation.driver(),
                            kilometres(reservation.distance()),
                            degrees(reservation.lat()),
                            degrees(reservation.lon())),
                    reservation.expiresAt());
        }
    }
}
