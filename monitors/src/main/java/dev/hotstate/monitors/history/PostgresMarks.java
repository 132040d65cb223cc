package dev.hotstate.monitors.history;

import dev.hotstate.store.Batch;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** What waits to be rolled up, and up to where hours were. */
final class PostgresMarks {
    private static final Batch<Mark> MARKS = Batch.<Mark>into("monitors_roll_ups")
            .column("level", "text", mark -> word(mark.level()))
            .column("start", "timestamptz", mark -> Instant.ofEpochMilli(mark.start()))
            .column("block", "int", Mark::block);

    /** A period of a block of series. */
    record Mark(Level level, long start, int block) {}

    private PostgresMarks() {}

    static void add(Handle handle, Collection<Mark> marks) {
        if (!marks.isEmpty()) {
            MARKS.copy(handle, marks);
        }
    }

    /** Hours before it are closed; none if it is the least number. */
    static long until(Handle handle) {
        return closedUntil(handle).orElse(Long.MIN_VALUE);
    }

    static Optional<Long> closedUntil(Handle handle) {
        return handle.createQuery("SELECT \"until\" FROM monitors_rolled")
                .map((row, context) -> row.getTimestamp(1).getTime())
                .findOne();
    }

    /** The hour of the oldest result. It looks at all of them, so it is for the very first roll-up. */
    static Optional<Long> firstHour(Handle handle) {
        return handle.createQuery("SELECT min(at) FROM monitors_results HAVING min(at) IS NOT NULL")
                .map((row, context) -> Level.HOUR.floor(row.getTimestamp(1).getTime()))
                .findOne();
    }

    /** Hours up to and with this one are closed; it waits for its roll-up, and if it ends a day, so does the day. */
    static void close(Handle handle, long hour) {
        long end = hour + Level.HOUR.ms();
        handle.createUpdate("INSERT INTO monitors_rolled (\"until\") VALUES (:end)"
                        + " ON CONFLICT (one) DO UPDATE SET \"until\" = excluded.\"until\"")
                .bind("end", Instant.ofEpochMilli(end))
                .execute();
        markAll(handle, Level.HOUR, hour);
        if (Level.DAY.begins(end)) {
            markAll(handle, Level.DAY, Level.DAY.floor(hour));
        }
    }

    /** An hour was rolled up: its day, if it was already, is to be again. */
    static void again(Handle handle, Mark hour) {
        long day = Level.DAY.floor(hour.start());
        if (day + Level.DAY.ms() <= until(handle)) {
            add(handle, List.of(new Mark(Level.DAY, day, hour.block())));
        }
    }

    static Settled settled(Handle handle, Collection<Integer> blocks) {
        Set<Long> hours = new HashSet<>();
        Set<Long> days = new HashSet<>();
        handle.createQuery("SELECT DISTINCT level, start FROM monitors_roll_ups WHERE block = ANY(:blocks)")
                .bindArray("blocks", Integer.class, blocks)
                .map((row, context) -> new Mark(
                        level(row.getString("level")), row.getTimestamp("start").getTime(), 0))
                .forEach(mark -> (mark.level() == Level.HOUR ? hours : days).add(mark.start()));
        return new Settled(until(handle), hours, days);
    }

    /** The oldest of a level; of a day only when none of its hours waits. */
    static Optional<Mark> oldest(Handle handle, Level level) {
        return handle.createQuery("SELECT start, block FROM monitors_roll_ups m WHERE level = :level AND NOT EXISTS"
                        + " (SELECT FROM monitors_roll_ups h WHERE m.level = 'day' AND h.level = 'hour' AND h.block = m.block"
                        + " AND h.start >= m.start AND h.start < m.start + interval '24 hours') ORDER BY id LIMIT 1")
                .bind("level", word(level))
                .map((row, context) -> new Mark(level, row.getTimestamp("start").getTime(), row.getInt("block")))
                .findOne();
    }

    /**
     * All of that block and day that are to be seen; one that is added meanwhile stays for another time.
     *
     * @return the periods that they were of
     */
    static List<Long> remove(Handle handle, Mark mark) {
        return handle.createQuery("DELETE FROM monitors_roll_ups WHERE level = :level AND block = :block"
                        + " AND start >= :day AND start < :end RETURNING start")
                .bind("level", word(mark.level()))
                .bind("block", mark.block())
                .bind("day", Instant.ofEpochMilli(Level.DAY.floor(mark.start())))
                .bind("end", Instant.ofEpochMilli(Level.DAY.floor(mark.start()) + Level.DAY.ms()))
                .map((row, context) -> row.getTimestamp(1).getTime())
                .list();
    }

    private static void markAll(Handle handle, Level level, long start) {
        handle.createUpdate(
                        "INSERT INTO monitors_roll_ups (level, start, block)"
                                + " SELECT :level, :start, block FROM (SELECT DISTINCT id / :size AS block FROM monitors_series) b")
                .bind("level", word(level))
                .bind("start", Instant.ofEpochMilli(start))
                .bind("size", PostgresResults.BLOCK)
                .execute();
    }

    /** An hour as a number that fits a lock. */
    static int number(long hour) {
        return Math.toIntExact(hour / Level.HOUR.ms());
    }

    private static String word(Level level) {
        return level.name().toLowerCase(Locale.ROOT);
    }

    private static Level level(String word) {
        return Level.valueOf(word.toUpperCase(Locale.ROOT));
    }
}
