package dev.hotstate.monitors.history;

import java.util.List;

/**
 * How one monitor was, told by its results in their order: each says how it is from then until the next one, at most for as
 * long as it stands, and for two days. What nobody said anything about is not known, and is neither up nor down.
 */
final class Timeline {
    /** No result says anything of later than that, since by then it may not be kept any more. */
    static final long LONGEST_MS = 2 * Level.DAY.ms();

    private Timeline() {}

    /**
     * Adds what happened in a range to the tallies of a grid.
     *
     * @param samples of one series in their order; the first may be before the range, and reach into it
     * @param from within the grid, as {@code to}
     */
    static void tell(List<Sample> samples, long from, long to, Grid grid, List<Tally> tallies) {
        for (int i = 0; i < samples.size(); i++) {
            Sample sample = samples.get(i);
            if (sample.at() >= from && sample.at() < to) {
                tallies.get(grid.cell(sample.at())).check(sample);
            }
            long next = i + 1 < samples.size() ? samples.get(i + 1).at() : Long.MAX_VALUE;
            long end = Math.min(next, sample.at() + Math.min(sample.standsMs(), LONGEST_MS));
            stand(sample, Math.max(sample.at(), from), Math.min(end, to), grid, tallies);
        }
    }

    private static void stand(Sample sample, long from, long to, Grid grid, List<Tally> tallies) {
        for (long at = from; at < to; ) {
            int cell = grid.cell(at);
            long end = Math.min(to, grid.to(cell));
            tallies.get(cell).stood(sample, end - at);
            at = end;
        }
    }
}
