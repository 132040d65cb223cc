package dev.hotstate.server.jobs;

import dev.hotstate.core.Service;
import dev.hotstate.jobs.JobKeys;
import dev.hotstate.jobs.Jobbing;
import dev.hotstate.server.config.Settings;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.store.MigrationSet;
import java.util.List;

/** Jobs whose tasks need one another: accepted and remembered in PostgreSQL, advanced in Redis. */
public final class JobsFeature implements Feature {
    @Override
    public String name() {
        return "jobs";
    }

    @Override
    public Service keys() {
        return JobKeys.SERVICE;
    }

    @Override
    public List<MigrationSet> migrations() {
        return List.of(Jobbing.migrations());
    }

    @Override
    public Running start(Backbone backbone) {
        var ground = new Jobbing.Ground(
                backbone.redis(),
                backbone.database(),
                backbone.incarnations(),
                backbone.events(),
                backbone.meters(),
                backbone.clock());
        return RunningJobs.start(
                backbone, Jobbing.start(ground, options(backbone.settings().jobs())));
    }

    private static Jobbing.Options options(Settings.Jobs settings) {
        return new Jobbing.Options(
                settings.partitions(), settings.keep(), settings.archiveLimit(), settings.retention());
    }
}
