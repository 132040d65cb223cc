package dev.hotstate.server.audit;

import dev.hotstate.audit.report.FamilyReport;
import dev.hotstate.audit.report.Report;
import dev.hotstate.audit.report.ReportJson;
import dev.hotstate.audit.rules.Severity;
import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Reports in PostgreSQL, and the lease of the one who makes the next. */
final class PostgresAudits {
    /** Of these the whole report is kept. */
    private static final int WHOLE = 48;

    /** A keyspace without design can have any number of shapes; charts need the largest. */
    private static final int MOST_FAMILIES = 500;

    private static final String COLUMNS =
            "id, at, took_ms, complete, keys, undeclared, used_bytes, errors, warnings, infos";

    private final Database database;

    PostgresAudits(Database database) {
        this.database = database;
    }

    /** What is left of an audit when its report is gone. */
    record Summary(
            long id,
            Instant at,
            long tookMs,
            boolean complete,
            long keys,
            long undeclared,
            long usedBytes,
            int errors,
            int warnings,
            int infos,
            List<FamilyFigures> families) {}

    record FamilyFigures(String name, boolean declared, long keys, long bytes) {}

    /** Keeps it; answers its summary, with its id. */
    Summary save(Report report) {
        return database.inTransaction(handle -> {
            var summary = summary(insert(handle, report), report);
            saveFamilies(handle, summary);
            handle.createUpdate("""
                            UPDATE audit_reports SET report = NULL WHERE report IS NOT NULL AND id NOT IN
                            (SELECT id FROM audit_reports WHERE report IS NOT NULL ORDER BY id DESC LIMIT :whole)""").bind("whole", WHOLE).execute();
            return summary;
        });
    }

    /** The last one as it was written. */
    Optional<String> latest() {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT report FROM audit_reports WHERE report IS NOT NULL ORDER BY id DESC LIMIT 1")
                .mapTo(String.class)
                .findOne());
    }

    /** Older than that id, within the range, the newest first. */
    List<Summary> history(Instant from, Instant to, long before, int most) {
        return database.withHandle(handle -> {
            var rows = handle.createQuery("SELECT " + COLUMNS + """
                             FROM audit_reports WHERE at BETWEEN :from AND :to AND id < :before
                            ORDER BY id DESC LIMIT :most""")
                    .bind("from", from.atOffset(ZoneOffset.UTC))
                    .bind("to", to.atOffset(ZoneOffset.UTC))
                    .bind("before", before)
                    .bind("most", most)
                    .map((row, context) -> summary(row))
                    .list();
            return withFamilies(handle, rows);
        });
    }

    /** The newest summary. */
    Optional<Summary> newest() {
        return history(Instant.EPOCH, Instant.parse("9999-12-31T00:00:00Z"), Long.MAX_VALUE, 1).stream()
                .findFirst();
    }

    /** Forgets what is older; answers how many audits. */
    int forget(Instant before) {
        return database.withHandle(handle -> handle.createUpdate("DELETE FROM audit_reports WHERE at < :before")
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .execute());
    }

    /** Whether this one may audit now: nobody else does. The holder of a lease extends it by the same. */
    boolean lease(String holder, Duration time) {
        return database.withHandle(handle -> handle.createUpdate("""
                                INSERT INTO audit_lease (holder, until) VALUES (:holder, now() + :ms * interval '1 ms')
                                ON CONFLICT (one) DO UPDATE SET holder = excluded.holder, until = excluded.until
                                WHERE audit_lease.until < now() OR audit_lease.holder = excluded.holder""")
                        .bind("holder", holder)
                        .bind("ms", time.toMillis())
                        .execute()
                > 0);
    }

    void release(String holder) {
        database.useHandle(handle -> handle.createUpdate("DELETE FROM audit_lease WHERE holder = :holder")
                .bind("holder", holder)
                .execute());
    }

    private static long insert(Handle handle, Report report) {
        return handle.createQuery("""
                        INSERT INTO audit_reports
                        (at, took_ms, complete, keys, undeclared, used_bytes, errors, warnings, infos, report)
                        VALUES (:at, :took, :complete, :keys, :undeclared, :used, :errors, :warnings, :infos,
                                cast(:report AS jsonb))
                        RETURNING id""")
                .bind("at", report.startedAt().atOffset(ZoneOffset.UTC))
                .bind("took", report.cost().millis())
                .bind("complete", report.complete())
                .bind("keys", report.keys())
                .bind("undeclared", undeclared(report))
                .bind("used", report.memory().used())
                .bind("errors", report.count(Severity.ERROR))
                .bind("warnings", report.count(Severity.WARNING))
                .bind("infos", report.count(Severity.INFO))
                .bind("report", ReportJson.write(report))
                .mapTo(long.class)
                .one();
    }

    private static void saveFamilies(Handle handle, Summary summary) {
        var batch = handle.prepareBatch("""
                INSERT INTO audit_families (report_id, family, declared, keys, bytes)
                VALUES (:report, :family, :declared, :keys, :bytes)""");
        summary.families()
                .forEach(family -> batch.bind("report", summary.id())
                        .bind("family", family.name())
                        .bind("declared", family.declared())
                        .bind("keys", family.keys())
                        .bind("bytes", family.bytes())
                        .add());
        if (batch.size() > 0) {
            batch.execute();
        }
    }

    private static Summary summary(long id, Report report) {
        var families = new LinkedHashMap<String, FamilyFigures>();
        report.families().stream()
                .sorted(Comparator.comparingLong(FamilyReport::bytes).reversed())
                .limit(MOST_FAMILIES)
                .forEach(family -> families.putIfAbsent(
                        family.name(),
                        new FamilyFigures(family.name(), family.declared(), family.keys(), family.bytes())));
        return new Summary(
                id,
                report.startedAt(),
                report.cost().millis(),
                report.complete(),
                report.keys(),
                undeclared(report),
                report.memory().used(),
                (int) report.count(Severity.ERROR),
                (int) report.count(Severity.WARNING),
                (int) report.count(Severity.INFO),
                List.copyOf(families.values()));
    }

    private static long undeclared(Report report) {
        return report.families().stream()
                .filter(family -> !family.declared())
                .mapToLong(FamilyReport::keys)
                .sum();
    }

    private static Summary summary(ResultSet row) throws SQLException {
        return new Summary(
                row.getLong("id"),
                row.getObject("at", OffsetDateTime.class).toInstant(),
                row.getLong("took_ms"),
                row.getBoolean("complete"),
                row.getLong("keys"),
                row.getLong("undeclared"),
                row.getLong("used_bytes"),
                row.getInt("errors"),
                row.getInt("warnings"),
                row.getInt("infos"),
                List.of());
    }

    private static List<Summary> withFamilies(Handle handle, List<Summary> rows) {
        if (rows.isEmpty()) {
            return rows;
        }
        Map<Long, List<FamilyFigures>> families = new LinkedHashMap<>();
        rows.forEach(row -> families.put(row.id(), new ArrayList<>()));
        handle.createQuery("""
                        SELECT report_id, family, declared, keys, bytes FROM audit_families
                        WHERE report_id BETWEEN :first AND :last ORDER BY report_id, bytes DESC, family""")
                .bind("first", rows.getLast().id())
                .bind("last", rows.getFirst().id())
                .map((row, context) -> Map.entry(
                        row.getLong("report_id"),
                        new FamilyFigures(
                                row.getString("family"),
                                row.getBoolean("declared"),
                                row.getLong("keys"),
                                row.getLong("bytes"))))
                .forEach(entry ->
                        families.getOrDefault(entry.getKey(), new ArrayList<>()).add(entry.getValue()));
        return rows.stream()
                .map(row -> new Summary(
                        row.id,
                        row.at,
                        row.tookMs,
                        row.complete,
                        row.keys,
                        row.undeclared,
                        row.usedBytes,
                        row.errors,
                        row.warnings,
                        row.infos,
                        List.copyOf(families.getOrDefault(row.id, List.of()))))
                .toList();
    }
}
