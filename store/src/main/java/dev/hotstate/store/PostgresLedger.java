package dev.hotstate.store;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Ledger;
import dev.hotstate.core.Partition;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;
import org.jdbi.v3.core.statement.Update;

/** The ledger of incarnations in PostgreSQL. Each verb is one statement or one transaction; time is PostgreSQL's. */
public final class PostgresLedger implements Ledger {
    /** An instance that was not heard of for so long does not live. */
    private static final Duration LIVES = Duration.ofSeconds(5);

    private static final String MINE = " WHERE feature = :feature AND tag = :tag AND incarnation = :incarnation";

    private final Database database;

    public PostgresLedger(Database database) {
        this.database = database;
    }

    /** The tables that it stands on. */
    public static MigrationSet migrations() {
        return MigrationSet.of("core");
    }

    @Override
    public String identity() {
        return database.withHandle(handle -> handle.createQuery("SELECT id::text FROM hotstate_installation")
                .mapTo(String.class)
                .one());
    }

    @Override
    public void enroll(String feature, List<Partition> partitions, String instance) {
        Set<String> wanted = new HashSet<>();
        partitions.forEach(partition -> wanted.add(partition.tag()));
        database.useTransaction(handle -> {
            handle.execute("SELECT pg_advisory_xact_lock(hashtext('hotstate:' || ?))", feature);
            Set<String> known = handle.createQuery(
                            "SELECT tag FROM hotstate_partition WHERE feature = :feature AND NOT retired")
                    .bind("feature", feature)
                    .mapTo(String.class)
                    .set();
            if (!known.equals(wanted)) {
                refuseWhileOthersLive(handle, feature, instance, known, wanted);
                repartition(handle, feature, wanted);
            }
            heartbeat(handle, instance, List.of(feature));
        });
    }

    @Override
    public void heartbeat(String instance, List<String> features) {
        database.useHandle(handle -> heartbeat(handle, instance, features));
    }

    @Override
    public List<Entry> entries(List<String> features) {
        return database.withHandle(handle -> handle.createQuery(
                        "SELECT * FROM hotstate_partition WHERE feature = ANY(:features) ORDER BY feature, tag")
                .bindArray("features", String.class, features)
                .map(PostgresLedger::entry)
                .list());
    }

    @Override
    public void lose(String feature, Partition partition, long incarnation, long atLeast, String reason) {
        // A rebuild that is under way is ended too, but only where Redis turned out to be ahead of it.
        database.useHandle(handle -> handle.createUpdate("UPDATE hotstate_partition SET"
                        + " incarnation = greatest(incarnation, :atLeast) + 1, ready = false, beat = 0, reason = :reason,"
                        + " rebuilder = NULL, lease_until = NULL, done = 0, changed_at = now()"
                        + MINE + " AND (ready OR :atLeast > incarnation)")
                .bind("feature", feature)
                .bind("tag", partition.tag())
                .bind("incarnation", incarnation)
                .bind("atLeast", atLeast)
                .bind("reason", reason)
                .execute());
    }

    @Override
    public Optional<Rebuilding> claim(
            String feature, Partition partition, long incarnation, String instance, Duration lease) {
        return database.withHandle(handle -> handle.createQuery("UPDATE hotstate_partition SET"
                        + " rebuilder = :instance, token = token + 1, lease_until = now() + :lease * interval '1 ms'"
                        + MINE + " AND NOT ready AND (lease_until IS NULL OR lease_until < now()) RETURNING *")
                .bind("feature", feature)
                .bind("tag", partition.tag())
                .bind("incarnation", incarnation)
                .bind("instance", instance)
                .bind("lease", lease.toMillis())
                .map((row, context) -> new Rebuilding(entry(row, context), row.getLong("token")))
                .findOne());
    }

    @Override
    public boolean progress(Rebuilding rebuilding, long done, Duration lease) {
        return database.withHandle(handle -> held(
                                handle,
                                rebuilding,
                                "UPDATE hotstate_partition SET done = :done,"
                                        + " lease_until = now() + :lease * interval '1 ms'",
                                "NOT ready")
                        .bind("done", done)
                        .bind("lease", lease.toMillis())
                        .execute())
                == 1;
    }

    @Override
    public boolean complete(Rebuilding rebuilding) {
        return database.withHandle(handle -> held(
                                handle,
                                rebuilding,
                                "UPDATE hotstate_partition SET ready = true, rebuilder = NULL, lease_until = NULL,"
                                        + " changed_at = now()",
                                "NOT ready")
                        .execute())
                == 1;
    }

    @Override
    public void remove(Rebuilding rebuilding) {
        database.useHandle(handle -> held(handle, rebuilding, "DELETE FROM hotstate_partition", "retired")
                .execute());
    }

    @Override
    public void beats(List<Beat> beats) {
        if (beats.isEmpty()) {
            return;
        }
        database.useHandle(handle -> handle.createUpdate("UPDATE hotstate_partition p SET beat = seen.beat"
                        + " FROM unnest(:features::text[], :tags::text[], :incarnations::bigint[], :beats::bigint[])"
                        + " AS seen(feature, tag, incarnation, beat)"
                        + " WHERE p.feature = seen.feature AND p.tag = seen.tag AND p.incarnation = seen.incarnation"
                        + " AND p.beat < seen.beat")
                .bindArray(
                        "features",
                        String.class,
                        beats.stream().map(Beat::feature).toList())
                .bindArray(
                        "tags",
                        String.class,
                        beats.stream().map(beat -> beat.partition().tag()).toList())
                .bindArray(
                        "incarnations",
                        Long.class,
                        beats.stream().map(Beat::incarnation).toList())
                .bindArray("beats", Long.class, beats.stream().map(Beat::beat).toList())
                .execute());
    }

    /** Lets go of instances that were last heard of more than a day ago. */
    public void forgetDeadInstances() {
        database.useHandle(
                handle -> handle.execute("DELETE FROM hotstate_instance WHERE seen_at < now() - interval '1 day'"));
    }

    /** An instance takes up features and drops none while it lives. */
    private static void heartbeat(Handle handle, String instance, List<String> features) {
        handle.createUpdate("INSERT INTO hotstate_instance (name, features, seen_at) VALUES (:name, :features, now())"
                        + " ON CONFLICT (name) DO UPDATE SET seen_at = excluded.seen_at,"
                        + " features = ARRAY(SELECT DISTINCT unnest(hotstate_instance.features || excluded.features))")
                .bind("name", instance)
                .bindArray("features", String.class, features)
                .execute();
    }

    private static void refuseWhileOthersLive(
            Handle handle, String feature, String instance, Set<String> known, Set<String> wanted) {
        List<String> living = handle.createQuery("SELECT name FROM hotstate_instance WHERE :feature = ANY(features)"
                        + " AND name <> :instance AND seen_at > now() - :lives * interval '1 ms' ORDER BY name")
                .bind("feature", feature)
                .bind("instance", instance)
                .bind("lives", LIVES.toMillis())
                .mapTo(String.class)
                .list();
        if (!living.isEmpty() && !known.isEmpty()) {
            throw new HotstateException(feature + " has " + known.size() + " partitions in use by "
                    + String.join(", ", living) + "; this instance is configured with " + wanted.size()
                    + ": stop the others first, or configure the same number");
        }
    }

    /** Ids are spread anew over the partitions, so all of them begin again; those no longer wanted are wiped. */
    private static void repartition(Handle handle, String feature, Set<String> wanted) {
        handle.createUpdate("UPDATE hotstate_partition SET incarnation = incarnation + 1, ready = false, beat = 0,"
                        + " retired = NOT tag = ANY(:wanted), reason = 'the number of partitions changed',"
                        + " rebuilder = NULL, lease_until = NULL, done = 0, changed_at = now()"
                        + " WHERE feature = :feature")
                .bind("feature", feature)
                .bindArray("wanted", String.class, wanted)
                .execute();
        handle.createUpdate("INSERT INTO hotstate_partition (feature, tag, incarnation, ready, reason)"
                        + " SELECT :feature, tag, 1, false, 'it is new' FROM unnest(:wanted::text[]) AS tag"
                        + " ON CONFLICT DO NOTHING")
                .bind("feature", feature)
                .bindArray("wanted", String.class, wanted)
                .execute();
    }

    /** A statement that does nothing once another has taken the rebuild. */
    private static Update held(Handle handle, Rebuilding rebuilding, String statement, String condition) {
        return handle.createUpdate(statement + MINE + " AND token = :token AND " + condition)
                .bind("feature", rebuilding.entry().feature())
                .bind("tag", rebuilding.entry().partition().tag())
                .bind("incarnation", rebuilding.entry().incarnation())
                .bind("token", rebuilding.token());
    }

    private static Entry entry(ResultSet row, StatementContext context) throws SQLException {
        return new Entry(
                row.getString("feature"),
                new Partition(row.getString("tag")),
                row.getLong("incarnation"),
                row.getBoolean("ready"),
                row.getBoolean("retired"),
                row.getLong("beat"),
                row.getLong("done"),
                row.getString("reason"));
    }
}
