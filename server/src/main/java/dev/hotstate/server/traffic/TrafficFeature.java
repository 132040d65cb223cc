package dev.hotstate.server.traffic;

import dev.hotstate.core.Service;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.store.MigrationSet;
import dev.hotstate.traffic.TrafficKeys;
import java.util.List;

/** Request metrics: counted in memory, added up in Redis once a second, kept in PostgreSQL. */
public final class TrafficFeature implements Feature {
    @Override
    public String name() {
        return "traffic";
    }

    @Override
    public Service keys() {
        return TrafficKeys.SERVICE;
    }

    @Override
    public List<MigrationSet> migrations() {
        return List.of(MigrationSet.of("traffic"));
    }

    @Override
    public Running start(Backbone backbone) {
        return RunningTraffic.on(backbone);
    }
}
