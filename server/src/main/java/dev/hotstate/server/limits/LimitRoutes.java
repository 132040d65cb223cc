package dev.hotstate.server.limits;

import dev.hotstate.server.http.Access;
import dev.hotstate.server.http.Route;
import dev.hotstate.server.http.Routes;
import java.util.List;

/** Every call under {@code /limits}. */
final class LimitRoutes implements Routes {
    private final RuleCalls rules;
    private final CheckCalls checks;
    private final StatisticsCalls statistics;

    LimitRoutes(RuleCalls rules, CheckCalls checks, StatisticsCalls statistics) {
        this.rules = rules;
        this.checks = checks;
        this.statistics = statistics;
    }

    @Override
    public String feature() {
        return "limits";
    }

    @Override
    public List<Route> routes() {
        return List.of(
                Route.get("/limits/rules", Access.VIEWER, rules::list),
                Route.put("/limits/rules", Access.OPERATOR, rules::replace),
                Route.post("/limits/check", Access.OPERATOR_OR_AGENT, checks::check),
                Route.post("/limits/refund", Access.OPERATOR_OR_AGENT, checks::refund),
                Route.get("/limits/rates", Access.VIEWER, statistics::rates),
                Route.get("/limits/top", Access.VIEWER, statistics::top),
                Route.get("/limits/{rule}/{subject}", Access.VIEWER, checks::look),
                Route.delete("/limits/{rule}/{subject}", Access.OPERATOR, checks::reset));
    }
}
