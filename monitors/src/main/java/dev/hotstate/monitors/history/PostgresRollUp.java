package dev.hotstate.monitors.history;

import dev.hotstate.store.Batch;
import dev.hotstate.store.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
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
 * first time or again, in one transaction for 512 series; a crash leaves the mark. One instance computes at a
 * time, and waits for no writer, nor a writer for it: an hour is closed only at a moment when nobody writes into it.
 */
final class PostgresRollUp {
    private static final Batch<Packed> MINUTES = Batch.<Packed>into("monitors_minutes")
            .key("series", "int", Packed::series)
            .key("start", "timestamptz", packed -> Instant.ofEpochMilli(packed.start()))
            .column("minutes", "bytea", Packed::minutes);

    private static final int HOURS_AT_ONCE = 24;

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
        while (database.inTransaction(handle -> close(handle, now, days))) {}
        for (Level level : List.of(Level.HOUR, Level.DAY)) {
            while (computeNext(level, now)) {}
        }
    }

    /** Closes hours that are over, at most a day of them; answers whether there may be more. */
    private boolean close(Handle handle, Instant now, List<LocalDate> days) {
        if (!PostgresLocks.tryRollUp(handle)) {
            return false;
        }
        Optional<Long> from = PostgresMarks.closedUntil(handle).or(() -> PostgresMarks.firstHour(handle));
        if (from.isEmpty()) {
            return false;
        }
        long hour = from.get();
        for (int i = 0; i < HOURS_AT_ONCE; i++) {
            hour = skipEmptyDays(hour, days);
            long end = hour + Level.HOUR.ms();
            if (end + lateness.toMillis() > now.toEpochMilli()
                    || !PostgresLocks.tryHour(handle, PostgresMarks.number(hour))) {
                return false;
            }
            PostgresMarks.close(handle, hour);
            hour = end;
        }
        return true;
    }

    /** After a month without a server there is a month without results. */
    private static long skipEmptyDays(long hour, List<LocalDate> days) {
        LocalDate day = day(hour);
        return days.stream()
                .filter(present -> !present.isBefore(day))
                .findFirst()
                .map(present -> Math.max(hour, start(present)))
                .orElse(hour);
    }

    private boolean computeNext(Level level, Instant now) {
        Optional<PostgresMarks.Mark> next = database.withHandle(handle -> PostgresMarks.oldest(handle, level));
        if (next.isEmpty()) {
            return false;
        }
        partitions.prepareLevels(day(next.get().start()), now);
        return database.inTransaction(handle -> compute(handle, next.get()));
    }

    // The marks go first: one that comes after is not removed, and what came with those that are is seen below.
    private static boolean compute(Handle handle, PostgresMarks.Mark mark) {
        if (!PostgresLocks.tryRollUp(handle)) {
            return false;
        }
        List<Long> starts = PostgresMarks.remove(handle, mark);
        if (starts.isEmpty()) {
            return true;
        }
        if (mark.level() == Level.HOUR) {
            hours(handle, mark.block(), Collections.min(starts), Collections.max(starts) + Level.HOUR.ms());
            PostgresMarks.again(handle, mark);
        } else {
            day(handle, mark);
        }
        return true;
    }

    /** Those of one day, so at most 24. One between them that was not marked comes out as it was. */
    private static void hours(Handle handle, int block, long from, long to) {
        Grid grid = Grid.even(from, Level.MINUTE.ms(), (int) ((to - from) / Level.MINUTE.ms()));
        List<Packed> minutes = new ArrayList<>();
        List<Period> hours = new ArrayList<>();
        PostgresSamples.each(handle, series(handle, block), from, to, samples -> {
            int series = samples.getFirst().series();
            List<Tally> tallies = grid.tallies();
            Timeline.tell(samples, from, to, grid, tallies);
            for (int first = 0; first < tallies.size(); first += Minutes.COUNT) {
                List<Tally> ofHour = tallies.subList(first, first + Minutes.COUNT);
                Tally hour = Tally.sum(ofHour);
                if (!hour.isEmpty()) {
                    minutes.add(new Packed(series, grid.from(first), Minutes.pack(ofHour)));
                    hours.add(new Period(series, grid.from(first), hour));
                }
            }
        });
        MINUTES.upsert(handle, minutes);
        periods("monitors_hours").upsert(handle, hours);
    }

    private static void day(Handle handle, PostgresMarks.Mark mark) {
        Map<Integer, Tally> days = new HashMap<>();
        handle.createQuery("SELECT series, checks, ok, up_ms, down_ms, latency_ms, latency FROM monitors_hours"
                        + " WHERE series >= :first AND series < :end AND start >= :from AND start < :to")
                .bind("first", mark.block() * PostgresResults.BLOCK)
                .bind("end", (mark.block() + 1) * PostgresResults.BLOCK)
                .bind("from", Instant.ofEpochMilli(mark.start()))
                .bind("to", Instant.ofEpochMilli(mark.start() + Level.DAY.ms()))
                .map((row, context) -> new Period(row.getInt("series"), 0, PostgresReading.tally(row)))
                .forEach(hour -> days.computeIfAbsent(hour.series(), first -> new Tally())
                        .merge(hour.tally()));
        periods("monitors_days")
                .upsert(
                        handle,
                        days.entrySet().stream()
                                .map(day -> new Period(day.getKey(), mark.start(), day.getValue()))
                                .toList());
    }

    private static List<Integer> series(Handle handle, int block) {
        return handle.createQuery("SELECT id FROM monitors_series WHERE id >= :first AND id < :end")
                .bind("first", block * PostgresResults.BLOCK)
                .bind("end", (block + 1) * PostgresResults.BLOCK)
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

    private static LocalDate day(long at) {
        return LocalDate.ofInstant(Instant.ofEpochMilli(at), ZoneOffset.UTC);
    }

    private static long start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant().toEpochMilli();
    }
}
