package dev.hotstate.drivers;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Maps for those who watch: each part of the world is read once a second, however many look at it. */
final class Charting {
    private static final long FRESH = TimeUnit.SECONDS.toNanos(1);
    private static final int KEPT = 100;

    private final PostgresMap stored;
    private final Map<Part, Chart> charts = new LinkedHashMap<>(16, 0.75f, true);

    Charting(PostgresMap stored) {
        this.stored = stored;
    }

    private record Part(Box box, int cells) {}

    private record Chart(List<MapMark> marks, long readAt) {}

    List<MapMark> map(Box box, int cells) {
        if (cells < Drivers.FEWEST_CELLS || cells > Drivers.MOST_CELLS) {
            throw new IllegalArgumentException(
                    "cells must be from " + Drivers.FEWEST_CELLS + " to " + Drivers.MOST_CELLS + ", not " + cells);
        }
        Part part = new Part(box, cells);
        synchronized (charts) {
            Chart known = charts.get(part);
            if (known != null && System.nanoTime() - known.readAt() < FRESH) {
                return known.marks();
            }
        }
        long now = System.nanoTime();
        List<MapMark> marks = stored.marks(box, degrees(box, cells), Drivers.MOST_MARKS);
        synchronized (charts) {
            charts.put(part, new Chart(marks, now));
            if (charts.size() > KEPT) {
                charts.remove(charts.keySet().iterator().next());
            }
        }
        return marks;
    }

    private static double degrees(Box box, int cells) {
        double wide = box.east() < box.west() ? box.east() - box.west() + 360 : box.east() - box.west();
        return Math.max(1e-6, Math.max(wide, box.north() - box.south()) / cells);
    }
}
