package dev.hotstate.server.monitors;

import dev.hotstate.monitors.Monitoring;
import dev.hotstate.monitors.alert.PostgresOutbox;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Chore;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.server.http.Routes;
import dev.hotstate.server.http.ops.HealthPart;
import java.time.Duration;
import java.util.List;

/** Monitors at work on this server. */
final class RunningMonitors implements Feature.Running {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final Backbone backbone;
    private final Monitoring monitoring;
    private final OutboxGauge outbox;

    RunningMonitors(Backbone backbone, Monitoring monitoring) {
        this.backbone = backbone;
        this.monitoring = monitoring;
        this.outbox = new OutboxGauge(() -> monitoring.alerting().backlog());
    }

    @Override
    public List<Routes> routes() {
        var pingUrls = new PingUrls(backbone.settings().monitors().publicUrl());
        return List.of(new MonitorRoutes(new MonitorRoutes.Calls(
                new DefinitionCalls(monitoring, pingUrls),
                new LiveCalls(monitoring.monitors(), outbox),
                new HistoryCalls(monitoring, backbone.clock()),
                new IncidentCalls(
                        monitoring.incidents(), monitoring.alerting(), new PostgresOutbox(backbone.database())),
                new MaintenanceCalls(monitoring.maintenance(), backbone.clock()),
                new ChannelCalls(monitoring),
                new PingCalls(monitoring.pings()),
                new PublicCalls(monitoring, backbone.clock()))));
    }

    @Override
    public List<HealthPart> health() {
        return List.of(new HealthPart("monitors", false, new MonitorsHealth(monitoring)));
    }

    @Override
    public List<Chore> chores() {
        return List.of(
                new Chore("monitors-remind", Duration.ofSeconds(5), monitoring::remind),
                new Chore("monitors-abandon", MINUTE, monitoring::abandonDeleted),
                new Chore("monitors-recall", MINUTE, monitoring::recallForgotten),
                new Chore("monitors-roll-up", MINUTE, monitoring.history()::rollUp),
                new Chore("monitors-retire", HOUR, monitoring.history()::retire),
                new Chore("monitors-forget", HOUR, monitoring::forgetDeleted),
                new Chore("monitors-purge-deliveries", HOUR, monitoring.alerting()::purge),
                new Chore("monitors-purge-incidents", HOUR, this::purgeIncidents),
                new Chore("monitors-purge-deleted", HOUR, monitoring.definitions()::purge),
                new Chore("monitors-purge-windows", HOUR, monitoring.maintenance()::purge));
    }

    private void purgeIncidents() {
        int days = backbone.settings().monitors().retention().incidents();
        monitoring.incidents().purge(Duration.ofDays(days));
    }

    @Override
    public void close() {
        monitoring.close();
    }
}
