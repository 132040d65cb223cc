package dev.hotstate.server.traffic;

import dev.hotstate.core.HotstateException;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.Chore;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.server.http.RequestObserver;
import dev.hotstate.server.http.Routes;
import dev.hotstate.traffic.Traffic;
import dev.hotstate.traffic.TrafficOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The traffic of this server and of those that report to it. */
final class RunningTraffic implements Feature.Running {
    // Half of the minute that may be lost: other chores, or a turn that comes late, take the rest.
    private static final Duration CHECKPOINT = Duration.ofSeconds(30);
    private static final Duration KEPT = Duration.ofDays(90);
    // The hour that runs and the one before; what is reported still later is kept with all hours, once an hour.
    private static final Duration GROWING = Duration.ofHours(1);
    // Once an hour all that Redis has, for hours that ended while no server ran.
    private static final Duration IN_REDIS = Duration.ofHours(24);

    private static final Logger LOG = LoggerFactory.getLogger(RunningTraffic.class);

    private final Traffic traffic;
    private final PostgresCheckpoints checkpoints;
    private final PostgresHistory history;
    private final InstantSource clock;
    private final RequestObserver observer;
    private final TrafficNews news;

    private RunningTraffic(Backbone backbone, Traffic traffic, PostgresCheckpoints checkpoints) {
        this.traffic = traffic;
        this.checkpoints = checkpoints;
        this.history = new PostgresHistory(backbone.database());
        this.clock = backbone.clock();
        this.news = TrafficNews.start(traffic, backbone.events());
        this.observer = new OwnRequests(traffic.recorder(), backbone.settings().onLoopback());
    }

    static RunningTraffic on(Backbone backbone) {
        var checkpoints = new PostgresCheckpoints(backbone.database());
        var options = TrafficOptions.of(backbone.instance(), backbone.clock());
        var traffic = Traffic.start(backbone.redis(), options, checkpoints);
        new FleetMeters(traffic).bindTo(backbone.meters());
        return new RunningTraffic(backbone, traffic, checkpoints);
    }

    @Override
    public List<Routes> routes() {
        return List.of(new TrafficRoutes(traffic, new Hours(traffic, history, clock), clock));
    }

    @Override
    public List<Chore> chores() {
        return List.of(
                new Chore("traffic-checkpoint", CHECKPOINT, () -> checkpoints.save(traffic.checkpoint())),
                new Chore("traffic-history", Duration.ofMinutes(5), () -> keepHours(GROWING)),
                new Chore("traffic-history-day", Duration.ofHours(1), () -> keepHours(IN_REDIS)),
                new Chore(
                        "traffic-retention",
                        Duration.ofDays(1),
                        () -> history.forget(clock.instant().minus(KEPT))));
    }

    private void keepHours(Duration back) {
        history.save(traffic.hours(clock.instant().minus(back)));
    }

    @Override
    public Optional<RequestObserver> observer() {
        return Optional.of(observer);
    }

    /** What was counted and not yet written is written now. */
    @Override
    public void close() {
        news.close();
        traffic.close();
        try {
            checkpoints.save(traffic.checkpoint());
        } catch (HotstateException away) {
            LOG.debug("the last checkpoint stays: {}", away.getMessage());
        }
    }
}
