package dev.hotstate.drivers;

import dev.hotstate.core.Key;
import dev.hotstate.core.Partition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The question that {@code nearest.lua} answers, in whichever script it stands. */
record Nearby(
        double lat, double lon, long radiusMm, @Nullable String tag) {
    static Nearby of(Search search) {
        return new Nearby(search.lat(), search.lon(), millimetres(search.radius()), search.tag());
    }

    static Nearby of(Wish wish) {
        return new Nearby(wish.lat(), wish.lon(), millimetres(wish.radius()), wish.tag());
    }

    /**
     * How much one call does.
     *
     * @param work after which it ends with the part that it has: one for each driver that it reads, two more for each that it
     *     examines, four for each cell
     * @param tiles that it is given to begin with
     */
    record Effort(int work, int tiles) {
        /** Redis is held for two or three milliseconds at most. */
        static final Effort USUAL = new Effort(600, 100);
    }

    Cursor start() {
        return Cursor.around(lat, lon, radiusMm);
    }

    /** The set to search in. */
    Key set(Partition region) {
        return tag == null ? DriverKeys.GEO.of(region) : DriverKeys.TAGGED.of(region, tag);
    }

    void addTo(List<String> args, int limit, Cursor cursor, Effort effort) {
        args.add(Double.toString(lat));
        args.add(Double.toString(lon));
        args.add(Long.toString(radiusMm));
        args.add(Integer.toString(limit));
        args.add(Integer.toString(effort.work()));
        cursor.addTo(args, effort.tiles(), radiusMm);
    }

    /** The most that is not beyond a radius in metres, as a {@link Cell#distance} is. */
    private static long millimetres(double radius) {
        long mm = (long) (radius * 1000) + 1;
        while (mm / 1000.0 > radius) {
            mm--;
        }
        return mm;
    }
}
