package dev.hotstate.server.monitors;

import dev.hotstate.core.Service;
import dev.hotstate.monitors.MonitorKeys;
import dev.hotstate.monitors.Monitoring;
import dev.hotstate.monitors.alert.AlertOptions;
import dev.hotstate.monitors.check.AddressRules;
import dev.hotstate.monitors.check.CheckerOptions;
import dev.hotstate.monitors.check.Cidr;
import dev.hotstate.monitors.history.HistoryOptions;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.store.MigrationSet;
import java.util.List;

/** Uptime monitors: defined and remembered in PostgreSQL, scheduled and live in Redis. */
public final class MonitorsFeature implements Feature {
    @Override
    public String name() {
        return "monitors";
    }

    @Override
    public Service keys() {
        return MonitorKeys.SERVICE;
    }

    @Override
    public List<MigrationSet> migrations() {
        return List.of(Monitoring.migrations());
    }

    @Override
    public Running start(Backbone backbone) {
        var ground = new Monitoring.Ground(
                backbone.redis(),
                backbone.database(),
                backbone.incarnations(),
                backbone.events(),
                backbone.meters(),
                backbone.clock());
        return new RunningMonitors(
                backbone, Monitoring.start(ground, options(backbone.settings().monitors())));
    }

    private static Monitoring.Options options(Settings.Monitors settings) {
        List<Cidr> allowed =
                settings.allowAddresses().stream().map(MonitorsFeature::range).toList();
        return new Monitoring.Options(
                settings.partitions(),
                settings.checks(),
                settings.perHost(),
                CheckerOptions.DEFAULTS.allowing(allowed.toArray(Cidr[]::new)),
                AlertOptions.DEFAULTS.withNetwork(network(allowed)),
                history(settings.retention()));
    }

    private static Cidr range(String text) {
        try {
            return Cidr.parse(text);
        } catch (IllegalArgumentException none) {
            throw new IllegalArgumentException("monitors.allow_addresses: " + none.getMessage(), none);
        }
    }

    /** A webhook goes where a check may go. */
    private static AlertOptions.Network network(List<Cidr> allowed) {
        return new AlertOptions.Network(new AddressRules(allowed)::permit, AlertOptions.Network.DEFAULTS.tls());
    }

    private static HistoryOptions history(Settings.Retention kept) {
        var usual = HistoryOptions.DEFAULTS;
        return new HistoryOptions(
                usual.buffer(),
                usual.batch(),
                usual.flushEvery(),
                usual.lateness(),
                kept.results(),
                kept.minutes(),
                kept.hours(),
                kept.days());
    }
}
