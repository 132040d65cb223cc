package dev.hotstate.monitors.history;

import dev.hotstate.store.Database;
import dev.hotstate.store.StoreException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What checks have found: each result for two days, minutes for a week, hours for ninety days, days for two years.
 *
 * <p>Results are written behind, once a second: a process that is killed takes the last second of what it recorded with it,
 * and one that cannot reach PostgreSQL for longer than its buffer lasts drops the oldest (meter
 * {@code hotstate.monitors.history.dropped}). Incidents do not depend on it.
 *
 * <p><b>Uptime</b> is the share of the known time in which a monitor was not down. Each result says how it is until the next
 * one, at most for as long as it {@link Result#standsFor stands}; so a monitor that is down and looked at more often does
 * not weigh more, and time without results (paused, no server running) is neither up nor down. A failed check below the
 * threshold is not downtime. Time in maintenance is left out. Latencies are those of checks that were ok.
 *
 * <p>A monitor is known here by a name that its owner gives it; who is to have none of another's history has another name.
 *
 * <p>Safe for use by many threads.
 */
public final class History implements AutoCloseable {
    private final HistoryOptions options;
    private final InstantSource clock;
    private final PostgresResults results;
    private final PostgresReading reading;
    private final PostgresPartitions partitions;
    private final PostgresRollUp rollUp;
    private final WriteBehind writer;

    private History(Database database, HistoryOptions options, MeterRegistry meters, InstantSource clock) {
        this.options = options;
        this.clock = clock;
        this.results = new PostgresResults(database);
        this.reading = new PostgresReading(database);
        this.partitions = new PostgresPartitions(database, options);
        this.rollUp = new PostgresRollUp(database, partitions, options);
        this.writer = new WriteBehind(new Sink(), options, meters);
    }

    /** As {@link #of}, and begins to write. */
    public static History start(Database database, HistoryOptions options, MeterRegistry meters, InstantSource clock) {
        History history = of(database, options, meters, clock);
        history.begin();
        return history;
    }

    /** Can be read at once, and written to: that waits in memory until it {@linkplain #begin begins}. The tables must be there. */
    public static History of(Database database, HistoryOptions options, MeterRegistry meters, InstantSource clock) {
        return new History(database, options, meters, clock);
    }

    /** Makes the partitions that are needed now, and begins to write. */
    public void begin() {
        partitions.prepare(clock.instant());
        writer.start();
    }

    /** Never blocks, and never fails: beyond the buffer the oldest result is dropped and counted. */
    public void add(Result result) {
        writer.add(result);
    }

    /**
     * What was added before is in PostgreSQL afterwards.
     *
     * @throws StoreException if it is not; it is tried again later
     */
    public void flush() {
        writer.flush();
    }

    /**
     * How a monitor was from step to step, of which the first has {@code from}. Beyond two days of the past steps are whole
     * minutes, beyond a week hours, beyond ninety days days.
     *
     * @throws IllegalArgumentException naming {@code step} if that makes more than 1,500 steps
     */
    public Series series(String monitor, Instant from, Instant to, Duration step) {
        long now = clock.millis();
        Grid grid = Steps.grid(options, from, to, step, now);
        List<Tally> tallies = reading.read(List.of(monitor), grid, now, PostgresReading.Detail.HISTOGRAMS)
                .getOrDefault(monitor, grid.tallies());
        return new Series(
                Duration.ofMillis(grid.to(0) - grid.from(0)),
                IntStream.range(0, grid.cells())
                        .mapToObj(cell -> Series.Point.of(grid.from(cell), tallies.get(cell)))
                        .toList());
    }

    /**
     * Uptime in percent by window, {@code 24h}, {@code 7d}, {@code 30d}, {@code 90d}; null where nothing is known. The first
     * two windows begin with a minute, the others with an hour; all of them end now.
     */
    public Map<String, @Nullable Double> uptime(String monitor) {
        return uptimes(List.of(monitor)).getOrDefault(monitor, Map.of());
    }

    /** As {@link #uptime} for many at once, in a handful of statements however many they are. */
    public Map<String, Map<String, @Nullable Double>> uptimes(Collection<String> monitors) {
        long now = clock.millis();
        Grid grid = Uptimes.grid(now);
        Map<String, List<Tally>> known = reading.read(monitors, grid, now, PostgresReading.Detail.SUMS);
        Map<String, Map<String, @Nullable Double>> uptimes = new LinkedHashMap<>();
        for (String monitor : monitors) {
            uptimes.put(monitor, Uptimes.of(known.getOrDefault(monitor, grid.tallies())));
        }
        return uptimes;
    }

    /**
     * The last days, of which today is one, of each monitor in the order given.
     *
     * @param days at most as many as are kept
     */
    public List<Day> days(Collection<String> monitors, int days) {
        if (days < 1 || days > options.dayDays()) {
            throw new IllegalArgumentException("days must be from 1 to " + options.dayDays() + ", not " + days);
        }
        long now = clock.millis();
        Grid grid = Grid.even(Level.DAY.floor(now) - (days - 1) * Level.DAY.ms(), Level.DAY.ms(), days);
        Map<String, List<Tally>> known = reading.read(monitors, grid, now, PostgresReading.Detail.SUMS);
        List<Day> bars = new ArrayList<>();
        for (String monitor : monitors) {
            List<Tally> tallies = known.getOrDefault(monitor, grid.tallies());
            for (int cell = 0; cell < days; cell++) {
                bars.add(Day.of(monitor, grid.from(cell), tallies.get(cell)));
            }
        }
        return bars;
    }

    /** The last result of each monitor that has one, in no more than a statement for 10,000 of them. */
    public Map<String, Result> latest(Collection<String> monitors) {
        return results.latest(monitors);
    }

    /** Rolls up what is over. Any instance may do so at any time; once a minute is often enough. */
    public void rollUp() {
        rollUp.rollUp(clock.instant());
    }

    /** Drops what is older than its retention; once an hour is often enough. */
    public void retire() {
        partitions.retire(clock.instant());
    }

    /** All monitors that have a history. */
    public Set<String> names() {
        return results.names();
    }

    /** Nothing of these monitors is told any more; what they took is freed as its partitions are dropped. */
    public void forget(Collection<String> monitors) {
        // What waits to be written would bring them back.
        writer.flush();
        results.forget(monitors);
    }

    /** Writes what is buffered, for at most five seconds. The database is the caller's to close. */
    @Override
    public void close() {
        writer.close();
    }

    private final class Sink implements WriteBehind.Sink {
        @Override
        public boolean takes(Result result) {
            long today = Level.DAY.floor(clock.millis());
            long at = result.at().toEpochMilli();
            return at >= today - (options.resultDays() - 1) * Level.DAY.ms() && at < today + 2 * Level.DAY.ms();
        }

        @Override
        public void write(List<Result> batch) {
            results.write(batch);
        }

        @Override
        public void prepare() {
            partitions.prepare(clock.instant());
        }
    }
}
