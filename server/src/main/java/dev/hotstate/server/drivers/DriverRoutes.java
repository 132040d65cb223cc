package dev.hotstate.server.drivers;

import dev.hotstate.drivers.StaleReservationException;
import dev.hotstate.drivers.UnknownDriverException;
import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Problem;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.util.List;
import java.util.stream.Stream;

/** Every call of drivers, of their reservations and of their regions. */
final class DriverRoutes implements Routes {
    private final LocationCalls locations;
    private final DriverCalls drivers;
    private final SearchCalls search;
    private final ReservationCalls reservations;
    private final RegionCalls regions;

    DriverRoutes(Calls calls) {
        this.locations = calls.locations;
        this.drivers = calls.drivers;
        this.search = calls.search;
        this.reservations = calls.reservations;
        this.regions = calls.regions;
    }

    record Calls(
            LocationCalls locations,
            DriverCalls drivers,
            SearchCalls search,
            ReservationCalls reservations,
            RegionCalls regions) {}

    @Override
    public String feature() {
        return "drivers";
    }

    @Override
    public List<Route> routes() {
        return Stream.of(
                        Route.patch("/drivers/{id}/location", Access.OPERATOR_OR_AGENT, locations::locate),
                        Route.post("/drivers/locations", Access.OPERATOR_OR_AGENT, locations::locateAll)
                                .withBodyOf(LocationCalls.LARGEST_BATCH),
                        Route.get("/drivers", Access.VIEWER_OR_AGENT, drivers::list),
                        Route.get("/drivers/summary", Access.VIEWER_OR_AGENT, drivers::summary),
                        Route.get("/drivers/map", Access.VIEWER_OR_AGENT, search::map),
                        Route.get("/drivers/available", Access.VIEWER_OR_AGENT, search::available),
                        Route.get("/drivers/{id}", Access.VIEWER_OR_AGENT, drivers::find),
                        Route.put("/drivers/{id}", Access.OPERATOR_OR_AGENT, drivers::describe),
                        Route.put("/drivers/{id}/status", Access.OPERATOR_OR_AGENT, drivers::mark),
                        Route.post("/reservations", Access.OPERATOR_OR_AGENT, reservations::reserve),
                        Route.post("/reservations/{id}/confirm", Access.OPERATOR_OR_AGENT, reservations::confirm),
                        Route.delete("/reservations/{id}", Access.OPERATOR_OR_AGENT, reservations::cancel),
                        Route.get("/regions", Access.VIEWER_OR_AGENT, regions::list),
                        Route.get("/regions/{id}", Access.VIEWER_OR_AGENT, regions::find),
                        Route.put("/regions/{id}", Access.OPERATOR, regions::put),
                        Route.delete("/regions/{id}", Access.OPERATOR, regions::delete))
                .map(DriverRoutes::tellingRefusals)
                .toList();
    }

    private static Route tellingRefusals(Route route) {
        return route.answeredBy(request -> {
            try {
                return route.handler().answer(request);
            } catch (UnknownDriverException unknown) {
                throw Problem.notFound(String.valueOf(unknown.getMessage()));
            } catch (StaleReservationException stale) {
                throw Problem.staleFence(String.valueOf(stale.getMessage()));
            }
        });
    }
}
