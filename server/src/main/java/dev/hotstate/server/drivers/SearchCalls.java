package dev.hotstate.server.drivers;

import static dev.hotstate.server.drivers.DriverShown.degrees;
import static dev.hotstate.server.drivers.DriverShown.kilometres;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.hotstate.drivers.Box;
import dev.hotstate.drivers.Cell;
import dev.hotstate.drivers.Drivers;
import dev.hotstate.drivers.Found;
import dev.hotstate.drivers.MapMark;
import dev.hotstate.drivers.Scored;
import dev.hotstate.drivers.Search;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Who is free around here, and what a map shows. */
final class SearchCalls {
    static final double USUAL_RADIUS_KM = 5;

    private static final double MOST_RADIUS_KM = Search.MOST_RADIUS / 1_000;
    private static final List<String> SORTS = List.of("distance", "score");
    private static final int USUAL_LIMIT = 50;
    private static final int USUAL_CELLS = 24;

    private final Drivers drivers;

    SearchCalls(Drivers drivers) {
        this.drivers = drivers;
    }

    Answer available(Request request) {
        var order = request.queryChoice("sort", SORTS)
                .map(word -> Search.Order.valueOf(word.toUpperCase(Locale.ROOT)))
                .orElse(Search.Order.DISTANCE);
        var search = new Search(
                request.queryDouble("lat", -Cell.MOST_LAT, Cell.MOST_LAT),
                request.queryDouble("lon", -180, 180),
                radius(request) * 1_000,
                request.queryInt("limit", USUAL_LIMIT, 1, Search.MOST),
                request.query("tag").filter(tag -> !tag.isEmpty()).orElse(null),
                order);
        return Answer.ok(FoundShown.of(drivers.findAvailable(search)));
    }

    private static double radius(Request request) {
        if (request.query("radius").isEmpty()) {
            return USUAL_RADIUS_KM;
        }
        double radius = request.queryDouble("radius", 0, MOST_RADIUS_KM);
        if (radius == 0) {
            throw Problem.invalid("radius", "must be more than 0");
        }
        return radius;
    }

    Answer map(Request request) {
        BiFunction<String, Integer, Double> side = (name, most) -> request.queryDouble(name, -most, most);
        var box = new Box(
                side.apply("south", 90), side.apply("west", 180), side.apply("north", 90), side.apply("east", 180));
        int cells = request.queryInt("cells", USUAL_CELLS, Drivers.FEWEST_CELLS, Drivers.MOST_CELLS);
        return Answer.ok(Map.of(
                "items", drivers.map(box, cells).stream().map(MarkShown::of).toList()));
    }

    private record FoundShown(List<CandidateShown> items, String source, long staleByMs) {
        static FoundShown of(Found found) {
            return new FoundShown(
                    found.items().stream().map(CandidateShown::of).toList(),
                    found.source().name().toLowerCase(Locale.ROOT),
                    found.staleBy().toMillis());
        }
    }

    /** @param why what each part adds to the score; both only where it was sorted by it */
    private record CandidateShown(
            String id,
            double distanceKm,
            double lat,
            double lon,
            Instant seenAt,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double score,

            @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Double> why) {
        static CandidateShown of(Scored scored) {
            var candidate = scored.candidate();
            return new CandidateShown(
                    candidate.id(),
                    kilometres(candidate.distance()),
                    degrees(candidate.lat()),
                    degrees(candidate.lon()),
                    candidate.seenAt(),
                    scored.score(),
                    scored.why());
        }
    }

    /** @param count of all who stand together there; one has its id */
    private record MarkShown(
            double lat,
            double lon,
            long count,
            long available,
            long busy,
            long offline,
            long reserved,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String id,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Double heading) {
        static MarkShown of(MapMark mark) {
            var counts = mark.counts();
            return new MarkShown(
                    degrees(mark.lat()),
                    degrees(mark.lon()),
                    SummaryShown.total(counts),
                    counts.available(),
                    counts.busy(),
                    counts.offline(),
                    counts.reserved(),
                    mark.id(),
                    mark.heading());
        }
    }
}
