package dev.hotstate.server.drivers;

import dev.hotstate.drivers.Region;
import dev.hotstate.drivers.Regions;
import dev.hotstate.server.http.Answer;
import dev.hotstate.server.http.Listing;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Request;
import java.util.List;
import java.util.Set;

/** The parts of the world whose drivers are kept together. */
final class RegionCalls {
    private final Regions regions;

    RegionCalls(Regions regions) {
        this.regions = regions;
    }

    /** By id; a cursor is the last id before. */
    Answer list(Request request) {
        var page = request.page();
        String after = page.cursor().orElse("");
        var found = regions.list().stream()
                .filter(region -> region.id().compareTo(after) > 0)
                .limit(page.limit() + 1L)
                .toList();
        var listing = Listing.of(found, page, Region::id);
        return Answer.ok(
                new Listing<>(listing.items().stream().map(RegionShown::of).toList(), listing.nextCursor()));
    }

    Answer find(Request request) {
        return regions.find(request.id("id"))
                .map(region -> Answer.ok(RegionShown.of(region)))
                .orElseThrow(() -> unknown(request));
    }

    Answer put(Request request) {
        String id = request.id("id");
        Region region = request.document(RegionBody.class, Set.of("id")).region(id);
        boolean known = regions.find(id).isPresent();
        var stored = RegionShown.of(regions.put(region));
        return known ? Answer.ok(stored) : Answer.created("/regions/" + id, stored);
    }

    Answer delete(Request request) {
        String id = request.id("id");
        if (id.equals(Region.DEFAULT)) {
            throw Problem.conflict("The region \"" + id + "\" holds every driver that is in no other, and stays.");
        }
        if (!regions.delete(id)) {
            throw unknown(request);
        }
        return Answer.noContent();
    }

    private static Problem unknown(Request request) {
        return Problem.notFound("There is no region \"" + request.path("id") + "\".");
    }

    /** @param shape latitude and longitude of each point; none for the region that holds all the rest */
    private record RegionShown(String id, List<List<Double>> shape) {
        static RegionShown of(Region region) {
            return new RegionShown(
                    region.id(),
                    region.shape().stream()
                            .map(point -> List.of(point.lat(), point.lon()))
                            .toList());
        }
    }
}
