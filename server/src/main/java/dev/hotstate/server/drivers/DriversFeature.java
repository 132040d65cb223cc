package dev.hotstate.server.drivers;

import dev.hotstate.core.Service;
import dev.hotstate.drivers.DriverKeys;
import dev.hotstate.drivers.Driving;
import dev.hotstate.drivers.WeightedScoring;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.store.MigrationSet;
import java.util.List;

/** Which drivers are free nearby: where they are in Redis first, what was decided of them in PostgreSQL first. */
public final class DriversFeature implements Feature {
    @Override
    public String name() {
        return "drivers";
    }

    @Override
    public Service keys() {
        return DriverKeys.SERVICE;
    }

    @Override
    public List<MigrationSet> migrations() {
        return List.of(Driving.migrations());
    }

    @Override
    public Running start(Backbone backbone) {
        var ground = new Driving.Ground(
                backbone.redis(),
                backbone.database(),
                backbone.incarnations(),
                backbone.events(),
                backbone.meters(),
                backbone.clock());
        return RunningDrivers.start(
                backbone, Driving.start(ground, options(backbone.settings().drivers())));
    }

    private static Driving.Options options(Settings.Drivers settings) {
        var score = settings.score();
        return new Driving.Options(
                settings.heartbeat(),
                new WeightedScoring(score.distance(), score.idle(), score.rating(), score.longestIdle()),
                settings.writeBehind(),
                Driving.Options.DEFAULTS.sweep(),
                settings.forget());
    }
}
