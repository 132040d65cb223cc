package dev.hotstate.drivers;

import dev.hotstate.core.Slice;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Each verb, by whoever does it. */
final class LiveDrivers implements Drivers {
    private final Locator locator;
    private final Registry registry;
    private final Finder finder;
    private final Reserving reserving;
    private final Watching watching;

    /** What those who watch ask for. */
    record Watching(Tallies tallies, Charting charting, RegionBook regions) {}

    LiveDrivers(Locator locator, Registry registry, Finder finder, Reserving reserving, Watching watching) {
        this.locator = locator;
        this.registry = registry;
        this.finder = finder;
        this.reserving = reserving;
        this.watching = watching;
    }

    @Override
    public Located locate(Fix fix) {
        return locator.locate(fix);
    }

    @Override
    public LocatedAll locateAll(List<Fix> fixes) {
        return locator.locateAll(fixes);
    }

    @Override
    public DriverView mark(String id, Status status) {
        return registry.mark(id, status);
    }

    @Override
    public DriverView describe(String id, Profile profile) {
        return registry.describe(id, profile);
    }

    @Override
    public Optional<DriverView> find(String id) {
        return registry.find(id);
    }

    @Override
    public Slice<DriverView> list(@Nullable Status status, @Nullable String q, @Nullable String cursor, int limit) {
        return registry.list(status, q, cursor, limit);
    }

    @Override
    public Found findAvailable(Search search) {
        return finder.find(search);
    }

    @Override
    public List<Reservation> reserve(Wish wish) {
        return reserving.reserve(wish);
    }

    @Override
    public void confirm(String reservation, String fence) {
        reserving.confirm(reservation, fence);
    }

    @Override
    public void cancel(String reservation, String fence) {
        reserving.cancel(reservation, fence);
    }

    @Override
    public Summary summary() {
        return watching.tallies().summary();
    }

    @Override
    public List<MapMark> map(Box box, int cells) {
        return watching.charting().map(box, cells);
    }

    @Override
    public Regions regions() {
        return watching.regions();
    }
}
