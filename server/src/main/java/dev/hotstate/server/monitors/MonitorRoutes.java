package dev.hotstate.server.monitors;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.util.List;
import java.util.stream.Stream;

/** Every call of monitors, their incidents, channels and windows, and what is public of them. */
final class MonitorRoutes implements Routes {
    /** Ten thousand monitors and more. */
    private static final int LARGEST_LIST = 32 * 1024 * 1024;

    private final DefinitionCalls definitions;
    private final LiveCalls live;
    private final HistoryCalls history;
    private final IncidentCalls incidents;
    private final MaintenanceCalls maintenance;
    private final ChannelCalls channels;
    private final PingCalls pings;
    private final PublicCalls shown;

    MonitorRoutes(Calls calls) {
        this.definitions = calls.definitions;
        this.live = calls.live;
        this.history = calls.history;
        this.incidents = calls.incidents;
        this.maintenance = calls.maintenance;
        this.channels = calls.channels;
        this.pings = calls.pings;
        this.shown = calls.shown;
    }

    record Calls(
            DefinitionCalls definitions,
            LiveCalls live,
            HistoryCalls history,
            IncidentCalls incidents,
            MaintenanceCalls maintenance,
            ChannelCalls channels,
            PingCalls pings,
            PublicCalls shown) {}

    @Override
    public String feature() {
        return "monitors";
    }

    @Override
    public List<Route> routes() {
        return Stream.of(
                        Route.get("/monitors", Access.VIEWER, live::list),
                        Route.post("/monitors", Access.OPERATOR, definitions::create),
                        Route.put("/monitors", Access.OPERATOR, definitions::apply)
                                .withBodyOf(LARGEST_LIST),
                        Route.get("/monitors/summary", Access.VIEWER, live::summary),
                        Route.get("/monitors/uptime", Access.VIEWER, history::uptimes),
                        Route.get("/monitors/{id}", Access.VIEWER, definitions::find),
                        Route.put("/monitors/{id}", Access.OPERATOR, definitions::replace),
                        Route.patch("/monitors/{id}", Access.OPERATOR, definitions::patch),
                        Route.delete("/monitors/{id}", Access.OPERATOR, definitions::delete),
                        Route.post("/monitors/{id}/check", Access.OPERATOR, live::check),
                        Route.post("/monitors/{id}/pause", Access.OPERATOR, definitions::pause),
                        Route.post("/monitors/{id}/resume", Access.OPERATOR, definitions::resume),
                        Route.get("/monitors/{id}/history", Access.VIEWER, history::series),
                        Route.get("/monitors/{id}/uptime", Access.VIEWER, history::uptime),
                        Route.get("/incidents", Access.VIEWER, incidents::list),
                        Route.get("/incidents/{id}", Access.VIEWER, incidents::find),
                        Route.post("/incidents/{id}/ack", Access.OPERATOR, incidents::acknowledge),
                        Route.get("/deliveries", Access.VIEWER, incidents::deliveries),
                        Route.post("/deliveries/{id}/replay", Access.OPERATOR, incidents::replay),
                        Route.get("/maintenance", Access.VIEWER, maintenance::list),
                        Route.post("/maintenance", Access.OPERATOR, maintenance::create),
                        Route.delete("/maintenance/{id}", Access.OPERATOR, maintenance::delete),
                        Route.get("/channels", Access.VIEWER, channels::list),
                        Route.get("/channels/{id}", Access.VIEWER, channels::find),
                        Route.put("/channels/{id}", Access.OPERATOR, channels::put),
                        Route.delete("/channels/{id}", Access.OPERATOR, channels::delete),
                        Route.post("/channels/{id}/test", Access.OPERATOR, channels::test),
                        Route.get("/ping/{key}", Access.PUBLIC, pings::succeeded),
                        Route.post("/ping/{key}", Access.PUBLIC, pings::succeeded),
                        Route.get("/ping/{key}/start", Access.PUBLIC, pings::began),
                        Route.post("/ping/{key}/start", Access.PUBLIC, pings::began),
                        Route.get("/ping/{key}/fail", Access.PUBLIC, pings::failed),
                        Route.post("/ping/{key}/fail", Access.PUBLIC, pings::failed),
                        Route.get("/ping/{key}/{exit_code}", Access.PUBLIC, pings::ended),
                        Route.post("/ping/{key}/{exit_code}", Access.PUBLIC, pings::ended),
                        Route.get("/status-page", Access.PUBLIC, shown::statusPage),
                        Route.get("/badge/{id}.svg", Access.PUBLIC, shown::badge))
                .toList();
    }
}
