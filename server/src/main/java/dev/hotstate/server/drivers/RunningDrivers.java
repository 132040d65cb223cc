package dev.hotstate.server.drivers;

import dev.hotstate.drivers.DriverChange;
import dev.hotstate.drivers.Driving;
import dev.hotstate.server.feature.Backbone;
import dev.hotstate.server.feature.ChangeNews;
import dev.hotstate.server.feature.Chore;
import dev.hotstate.server.feature.Feature;
import dev.hotstate.server.http.Routes;
import dev.hotstate.server.http.ops.HealthPart;
import java.time.Duration;
import java.util.List;

/** Drivers at work on this server. */
final class RunningDrivers implements Feature.Running {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final Driving driving;
    private final ChangeNews<DriverChange> news;

    private RunningDrivers(Driving driving, ChangeNews<DriverChange> news) {
        this.driving = driving;
        this.news = news;
    }

    /** If it throws, nothing is left running, the given part included. */
    static RunningDrivers start(Backbone backbone, Driving driving) {
        try {
            var news = new ChangeNews<>(backbone.events(), "drivers", "status", DriverChange::id);
            driving.listen(news::changed);
            news.start();
            return new RunningDrivers(driving, news);
        } catch (RuntimeException | Error failed) {
            driving.close();
            throw failed;
        }
    }

    @Override
    public List<Routes> routes() {
        var drivers = driving.drivers();
        return List.of(new DriverRoutes(new DriverRoutes.Calls(
                new LocationCalls(drivers),
                new DriverCalls(drivers),
                new SearchCalls(drivers),
                new ReservationCalls(drivers),
                new RegionCalls(drivers.regions()))));
    }

    @Override
    public List<HealthPart> health() {
        return List.of(new HealthPart("drivers", false, new DriversHealth(driving::lag)));
    }

    @Override
    public List<Chore> chores() {
        return List.of(
                new Chore("drivers-silent", MINUTE, driving::findSilent),
                new Chore("drivers-forget", HOUR, driving::forgetOld));
    }

    @Override
    public void close() {
        news.close();
        driving.close();
    }
}
