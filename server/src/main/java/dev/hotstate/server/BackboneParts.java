package dev.hotstate.server;

import dev.hotstate.core.Events;
import dev.hotstate.core.Incarnations;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.http.ops.HealthPart;
import dev.hotstate.server.http.ops.HealthReport;
import dev.hotstate.server.http.ops.HealthStatus;
import dev.hotstate.store.Database;
import dev.hotstate.store.DatabaseHealth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The health of what every feature stands on. */
final class BackboneParts {
    private BackboneParts() {}

    static List<HealthPart> of(Backbone backbone) {
        return List.of(
                RedisPart.of(backbone.redis()),
                new HealthPart("postgres", true, () -> postgres(backbone.database(), backbone)),
                new HealthPart("partitions", false, () -> partitions(backbone.incarnations())),
                new HealthPart("events", false, () -> events(backbone.events())));
    }

    private static HealthReport postgres(Database database, Backbone backbone) {
        return switch (database.health()) {
            case DatabaseHealth.Up up -> answering(HealthStatus.UP, "PostgreSQL answers.", up, backbone);
            case DatabaseHealth.Busy busy -> answering(HealthStatus.DEGRADED, busy.reason(), busy.answer(), backbone);
            case DatabaseHealth.Down down -> HealthReport.of(HealthStatus.DOWN, down.reason());
        };
    }

    private static HealthReport answering(
            HealthStatus status, String detail, DatabaseHealth.Up answer, Backbone backbone) {
        var connections = backbone.meters().find("hikaricp.connections.active").gauge();
        return HealthReport.of(status, detail)
                .withFigure("latency_ms", answer.latency().toNanos() / 10_000 / 100.0)
                .withFigure("connections", connections == null ? 0 : (long) connections.value())
                .withFigure("connections_max", backbone.settings().postgres().connections())
                .withFigure("version", answer.serverVersion());
    }

    private static HealthReport partitions(Incarnations incarnations) {
        var states = incarnations.states();
        long ready = states.stream().filter(Incarnations.State::ready).count();
        boolean all = ready == states.size();
        var detail = all
                ? states.size() == 1 ? "The one partition is whole." : "All " + states.size() + " partitions are whole."
                : states.size() - ready + " of " + states.size() + " partitions are being rebuilt.";
        return HealthReport.of(all ? HealthStatus.UP : HealthStatus.REBUILDING, detail)
                .withFigure("ready", ready)
                .withFigure("total", states.size())
                .withFigure("rebuilding", states.size() - ready)
                .withExtra(
                        "partitions", states.stream().map(BackboneParts::shown).toList());
    }

    private static Map<String, Object> shown(Incarnations.State state) {
        var shown = new LinkedHashMap<String, Object>();
        shown.put("feature", state.feature());
        shown.put("partition", state.partition().tag());
        shown.put("incarnation", state.incarnation());
        shown.put("state", state.ready() ? "ready" : "rebuilding");
        shown.put("rebuilt", state.rebuilt());
        shown.put("reason", state.reason());
        return shown;
    }

    private static HealthReport events(Events events) {
        return HealthReport.of(
                        events.isReading() ? HealthStatus.UP : HealthStatus.DEGRADED,
                        events.isReading() ? "Events come in." : "Events of other instances do not come in.")
                .withFigure("subscribers", events.subscribers());
    }
}
