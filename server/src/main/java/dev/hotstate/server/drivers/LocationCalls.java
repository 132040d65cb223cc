package dev.hotstate.server.drivers;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hotstate.drivers.Drivers;
import dev.hotstate.drivers.Fix;
import dev.hotstate.drivers.Located;
import dev.hotstate.drivers.Status;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Check;
import dev.hotstate.server.http.Request;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where drivers are: one at a time, or many at once from a gateway. */
final class LocationCalls {
    private static final int MOST = 10_000;
    // 400 each: enough for the longest id and every field.
    static final int LARGEST_BATCH = 400 * MOST;

    private final Drivers drivers;

    LocationCalls(Drivers drivers) {
        this.drivers = drivers;
    }

    Answer locate(Request request) {
        Fix fix = request.body(LocationBody.class).fix(request.id("id"));
        return Answer.ok(LocatedShown.of(drivers.locate(fix)));
    }

    /** What is wrong with one says nothing of the others: each is taken or refused for itself. */
    Answer locateAll(Request request) {
        var items = request.body(Batch.class).items;
        new Check()
                .given(items, "items")
                .that(items == null || items.size() <= MOST, "items", "must be at most " + MOST)
                .refuse();
        var batch = LocationBatch.read(Objects.requireNonNull(items));
        return Answer.ok(batch.shown(drivers.locateAll(batch.fixes())));
    }

    /** @param items trees, since each is read by itself */
    private record Batch(@Nullable List<JsonNode> items) {}

    private record LocatedShown(Status status, String region, boolean accepted) {
        static LocatedShown of(Located located) {
            return new LocatedShown(located.status(), located.region(), located.accepted());
        }
    }
}
