package dev.hotstate.monitors.history;

import dev.hotstate.store.Batch;
import dev.hotstate.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Results become minutes and hours, hours become days.
 *
 * <p>An hour that is over is closed: from then on a result of it is late, and marks it anew. Closing marks the hour for every
 * block of series, and at the end of a day the day. Whatever is marked is computed from what is there, whether for the
 * first time or again, in one transaction for an hour of 512 series; a crash leaves the mark. One instance computes at a
 * time, and waits for no writer, nor a writer for it: an hour is closed only at a moment when nobody writes into it.
 */
final class PostgresRollUp {
    private static final Batch<Packed> MINUTES = Batch.<Packed>into("monitor_minutes")
            .key("series", "int", Packed::series)
            .key("start", "timestamptz", packed -> Instant.ofEpochMilli(packed.start()))
            .column("minutes", "bytea", Packed::minutes);

    private final Database database;
    private final PostgresPartitions partitions;
    private final Duration lateness;

    private record Packed(int series, long start, byte[] minutes) {}

    private record Period(int series, long start, Tally tally) {}

    PostgresRollUp(Database database, PostgresPartitions partitions, HistoryOptions options) {
        this.database = database;
        this.partitions = partitions;
        this.lateness = options.lateness();
    }

    /** Until nothing is left to do, or another instance is at it. */
    void rollUp(Instant now) {
        partitions.prepare(now);
        List<LocalDate> days = partitions.resultDays();
        while (database.inTransaction(handle -> closeNext(handle, now, days))) {}
        for (Level level : List.of(Level.HOUR, Level.DAY)) {
            while (computeNext(level)) {}
        }
    }

    private boolean closeNext(Handle handle, Instant now, List<LocalDate> days) {
        if (!PostgresLocks.tryRollUp(handle) || days.isEmpty()) {
            return false;
        }
        long hour = skipEmptyDays(Math.max(PostgresMarks.until(handle), start(days.getFirst())), days);
        long end = hour + Level.HOUR.ms();
        if (end + lateness.toMillis() > now.toEpochMilli()
                || !PostgresLocks.tryHour(handle, PostgresMarks.number(hour))) {
            return false;
        }
        PostgresMarks.close(handle, hour);
        return true;
    }

    /** After a month without a server there is a month without results. */
    private static long skipEmptyDays(long hour, List<LocalDate> days) {
        LocalDate day = LocalDate.ofInstant(Instant.ofEpochMilli(hour), ZoneOffset.UTC);
        Optional<LocalDate> next =
                days.stream().filter(present -> !present.isBefore(day)).findFirst();
        return next.map(present -> Math.max(hour, start(present))).orElse(hour);
    }

    private boolean computeNext(Level level) {
        Optional<PostgresMarks.Mark> next = database.withHandle(handle -> PostgresMarks.oldest(handle, level));
        if (next.isEmpty()) {
            return false;
        }
        partitions.prepareLevels(
                LocalDate.ofInstant(Instant.ofEpochMilli(next.get().start()), ZoneOffset.UTC));
        return database.inTransaction(handle -> compute(handle, next.get()));
    }

    // The marks go first: one that comes after is not removed, and what came with those that are is seen below.
    private static boolean compute(Handle handle, PostgresMarks.Mark mark) {
        if (!PostgresLocks.tryRollUp(handle)) {
            return false;
        }
        if (PostgresMarks.remove(handle, mark) > 0) {
            if (mark.level() == Level.HOUR) {
                hour(handle, mark);
            } else {
                day(handle, mark);
            }
        }
        return true;
    }

    private static void hour(Handle handle, PostgresMarks.Mark mark) {
        Grid grid = Grid.even(mark.start(), Level.MINUTE.ms(), Minutes.COUNT);
        List<Packed> minutes = new ArrayList<>();
        List<Period> hours = new ArrayList<>();
        PostgresSamples.each(handle, series(handle, mark), grid.from(), grid.to(), samples -> {
            List<Tally> tallies = grid.tallies();
            Timeline.tell(samples, grid.from(), grid.to(), grid, tallies);
            Tally hour = new Tally();
            tallies.forEach(hour::merge);
            if (!hour.isEmpty()) {
                int series = samples.getFirst().series();
                minutes.add(new Packed(series, mark.start(), Minutes.pack(tallies)));
                hours.add(new Period(series, mark.start(), hour));
            }
        });
        MINUTES.upsert(handle, minutes);
        periods("monitor_hour").upsert(handle, hours);
        PostgresMarks.again(handle, mark);
    }

    private static void day(Handle handle, PostgresMarks.Mark mark) {
        Map<Integer, Tally> days = new HashMap<>();
        handle.createQuery("SELECT series, checks, ok, up_ms, down_ms, latency_ms, latency FROM monitor_hour"
                        + " WHERE series >= :first AND series < :end AND start >= :from AND start < :to")
                .bind("first", mark.block() * PostgresResults.BLOCK)
                .bind("end", (mark.block() + 1) * PostgresResults.BLOCK)
                .bind("from", Instant.ofEpochMilli(mark.start()))
                .bind("to", Instant.ofEpochMilli(mark.start() + Level.DAY.ms()))
                .map((row, context) -> new Period(row.getInt("series"), 0, PostgresReading.tally(row)))
                .forEach(hour -> days.computeIfAbsent(hour.series(), first -> new Tally())
                        .merge(hour.tally()));
        periods("monitor_day")
                .upsert(
                        handle,
                        days.entrySet().stream()
                                .map(day -> new Period(day.getKey(), mark.start(), day.getValue()))
                                .toList());
    }

    private static List<Integer> series(Handle handle, PostgresMarks.Mark mark) {
        return handle.createQuery("SELECT id FROM monitor_series WHERE id >= :first AND id < :end")
                .bind("first", mark.block() * PostgresResults.BLOCK)
                .bind("end", (mark.block() + 1) * PostgresResults.BLOCK)
                .mapTo(Integer.class)
                .list();
    }

    private static Batch<Period> periods(String table) {
        return Batch.<Period>into(table)
                .key("series", "int", Period::series)
                .key("start", "timestamptz", period -> Instant.ofEpochMilli(period.start()))
                .column("checks", "int", period -> period.tally().checks())
                .column("ok", "int", period -> period.tally().ok())
                .column("up_ms", "int", period -> period.tally().upMs())
                .column("down_ms", "int", period -> period.tally().downMs())
                .column("latency_ms", "bigint", period -> period.tally().latencyMs())
                .column("latency", "bytea", period -> histogram(period.tally()));
    }

    private static byte[] histogram(Tally tally) {
        Varints.Writer out = new Varints.Writer();
        tally.latency().write(out);
        return out.bytes();
    }

    private static long start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }
}
