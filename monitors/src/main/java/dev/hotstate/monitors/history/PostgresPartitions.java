package dev.hotstate.monitors.history;

import dev.hotstate.store.Database;
import dev.hotstate.store.StoreException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions of history's tables, named after their first day: made ahead, dropped when all of it is too old. Any
 * number of instances may do so at once.
 */
final class PostgresPartitions {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresPartitions.class);
    private static final DateTimeFormatter NAME = DateTimeFormatter.BASIC_ISO_DATE;

    /** A drop must wait for those who read the table, and writers wait behind it: so it does not wait for long. */
    private static final String BRIEFLY = "SET LOCAL lock_timeout = '200ms'";

    private static final int AHEAD_DAYS = 2;

    private final Database database;
    private final List<Table> tables;
    private final int resultDays;

    private record Table(String name, ChronoUnit unit, int keptDays) {
        LocalDate floor(LocalDate day) {
            return switch (unit) {
                case MONTHS -> day.withDayOfMonth(1);
                case YEARS -> day.withDayOfYear(1);
                default -> day;
            };
        }

        String partition(LocalDate start) {
            return name + "_" + NAME.format(start);
        }

        LocalDate start(String partition) {
            return LocalDate.parse(partition.substring(name.length() + 1), NAME);
        }

        LocalDate end(LocalDate start) {
            return start.plus(1, unit);
        }
    }

    PostgresPartitions(Database database, HistoryOptions options) {
        this.database = database;
        this.resultDays = options.resultDays();
        this.tables = List.of(
                new Table("monitors_results", ChronoUnit.DAYS, options.resultDays()),
                new Table("monitors_minutes", ChronoUnit.DAYS, options.minuteDays()),
                new Table("monitors_hours", ChronoUnit.MONTHS, options.hourDays()),
                new Table("monitors_days", ChronoUnit.YEARS, options.dayDays()));
    }

    /** Whatever may be written for the next two days, by the live and by the late, has its place. */
    void prepare(Instant now) {
        LocalDate today = day(now);
        for (Table table : tables) {
            prepare(table, today.minusDays(resultDays), today.plusDays(AHEAD_DAYS));
        }
    }

    /** What results of this day are rolled up into has its place, however long ago it was. */
    void prepareLevels(LocalDate day, Instant now) {
        if (day.isBefore(day(now).minusDays(resultDays))) {
            tables.subList(1, tables.size()).forEach(table -> prepare(table, day, day));
        }
    }

    /** The days that have results, or had. */
    List<LocalDate> resultDays() {
        Table results = tables.getFirst();
        return database.withHandle(handle -> partitions(handle, results)).stream()
                .map(results::start)
                .toList();
    }

    /** What is too old goes, but of results only days whose roll-up is over. */
    void retire(Instant now) {
        for (Table table : tables) {
            LocalDate oldest = day(now).minusDays(table.keptDays());
            for (String partition : database.withHandle(handle -> partitions(handle, table))) {
                if (!table.end(table.start(partition)).isAfter(oldest)) {
                    retire(table, partition);
                }
            }
        }
    }

    private void prepare(Table table, LocalDate from, LocalDate to) {
        List<String> present = database.withHandle(handle -> partitions(handle, table));
        for (LocalDate start = table.floor(from); !start.isAfter(to); start = table.end(start)) {
            if (!present.contains(table.partition(start))) {
                LocalDate missing = start;
                database.useTransaction(handle -> create(handle, table, missing));
            }
        }
    }

    // Made apart and then attached: CREATE TABLE … PARTITION OF would lock writers out, ATTACH does not.
    private static void create(Handle handle, Table table, LocalDate start) {
        PostgresLocks.awaitPartitions(handle);
        if (partitions(handle, table).contains(table.partition(start))) {
            return;
        }
        handle.execute("CREATE TABLE " + table.partition(start) + " (LIKE " + table.name() + " INCLUDING ALL)");
        handle.execute("ALTER TABLE " + table.name() + " ATTACH PARTITION " + table.partition(start)
                + " FOR VALUES FROM ('" + start + " 00:00:00Z') TO ('" + table.end(start) + " 00:00:00Z')");
    }

    private void retire(Table table, String partition) {
        try {
            database.useTransaction(handle -> {
                if (!PostgresLocks.tryRollUp(handle) || isNeeded(handle, table, table.start(partition))) {
                    return;
                }
                handle.execute(BRIEFLY);
                handle.execute("DROP TABLE IF EXISTS " + partition);
            });
        } catch (StoreException busy) {
            LOG.info("The partition {} is not dropped now: {}", partition, busy.getMessage());
        }
    }

    /** What nobody rolled up, or must once more, is needed; unless it is nothing. */
    private static boolean isNeeded(Handle handle, Table table, LocalDate day) {
        return table.unit() == ChronoUnit.DAYS
                && handle.createQuery("SELECT EXISTS (SELECT FROM " + table.partition(day) + ") AND ("
                                + "NOT EXISTS (SELECT FROM monitors_rolled WHERE \"until\" >= :end)"
                                + " OR EXISTS (SELECT FROM monitors_roll_ups WHERE start >= :start AND start <= :end))")
                        .bind("start", start(day))
                        .bind("end", start(day.plusDays(1)))
                        .mapTo(Boolean.class)
                        .one();
    }

    private static List<String> partitions(Handle handle, Table table) {
        return handle.createQuery("SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
                        + " WHERE i.inhparent = :table::regclass ORDER BY c.relname")
                .bind("table", table.name())
                .mapTo(String.class)
                .list();
    }

    private static LocalDate day(Instant at) {
        return LocalDate.ofInstant(at, ZoneOffset.UTC);
    }

    private static Instant start(LocalDate day) {
        return day.atStartOfDay(ZoneOffset.UTC).toInstant();
    }
}
