package dev.hotstate.server.drivers;

import dev.hotstate.drivers.Summary;
import java.util.List;

/**
 * How many drivers there are, as it is answered.
 *
 * @param reserved of those that are available
 */
record SummaryShown(
        long total,
        long available,
        long busy,
        long offline,
        long reserved,
        double updatesPerSecond,
        List<OfRegion> regions) {
    static SummaryShown of(Summary summary) {
        var all = summary.all();
        return new SummaryShown(
                total(all),
                all.available(),
                all.busy(),
                all.offline(),
                all.reserved(),
                tenths(summary.updatesPerSecond()),
                summary.regions().stream().map(OfRegion::of).toList());
    }

    record OfRegion(
            String region,
            long total,
            long available,
            long busy,
            long offline,
            long reserved,
            double updatesPerSecond) {
        static OfRegion of(Summary.OfRegion one) {
            var counts = one.counts();
            return new OfRegion(
                    one.region(),
                    SummaryShown.total(counts),
                    counts.available(),
                    counts.busy(),
                    counts.offline(),
                    counts.reserved(),
                    tenths(one.updatesPerSecond()));
        }
    }

    static long total(Summary.Counts counts) {
        return counts.available() + counts.busy() + counts.offline();
    }

    private static double tenths(double rate) {
        return Math.round(rate * 10) / 10.0;
    }
}
