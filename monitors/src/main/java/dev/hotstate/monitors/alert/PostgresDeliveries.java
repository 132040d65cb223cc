package dev.hotstate.monitors.alert;

import dev.hotstate.store.Database;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * The outbox as those who send see it. Leases and waits are by PostgreSQL's clock, so that all instances agree.
 *
 * <p>A lease that has run out makes its row pending again, but only after a grace, and under the same fence: if its sender
 * lives and was merely kept from PostgreSQL, it can still say that the message is out. The next claim takes a new fence,
 * and from then on the late sender is not heard any more.
 */
final class PostgresDeliveries {
    private static final int PURGED_AT_ONCE = 10_000;

    /** Who holds the fence may write; a row that was given back is still his until somebody claims it. */
    private static final String MINE = " WHERE id = :id AND fence = :fence AND status IN ('sending', 'pending')";

    private final Database database;

    PostgresDeliveries(Database database) {
        this.database = database;
    }

    /** One row, leased. The channel's settings are null when there is no such channel any more. */
    record Claimed(
            long id,
            long fence,
            int attempts,
            String channel,
            String key,
            String message,
            @Nullable String settings) {
        /** The settings have secrets in them. */
        @Override
        public String toString() {
            return key;
        }
    }

    /** Gives back what its sender has not answered for. */
    void expire(Duration grace) {
        database.useHandle(handle ->
                handle.createUpdate("""
                        UPDATE monitors_deliveries SET status = 'pending', lease_until = NULL,
                            due_at = now() + :grace * interval '1 ms', error = 'its sender has not come back'
                        WHERE status = 'sending' AND lease_until < now()""").bind("grace", grace.toMillis()).execute());
    }

    /**
     * Leases what is due, for each channel at most so many as it has room for. The channels that something waits for are
     * found by leaps through the index, so a long queue on one of them costs the others nothing.
     *
     * @param most over all channels
     * @param busy how many of each channel are under way here
     */
    List<Claimed> claim(int most, int perChannel, Map<String, Integer> busy, Duration lease) {
        return database.withHandle(handle -> handle.createQuery("""
                        WITH RECURSIVE waiting (channel) AS (
                            (SELECT channel FROM monitors_deliveries WHERE status = 'pending' ORDER BY channel LIMIT 1)
                            UNION ALL
                            SELECT (SELECT d.channel FROM monitors_deliveries d
                                    WHERE d.status = 'pending' AND d.channel > w.channel ORDER BY d.channel LIMIT 1)
                            FROM waiting w WHERE w.channel IS NOT NULL
                        ), chosen AS MATERIALIZED (
                            SELECT due.id FROM waiting w
                            LEFT JOIN unnest(:channels, :counts) AS busy (channel, count) ON busy.channel = w.channel
                            CROSS JOIN LATERAL (
                                SELECT d.id, d.due_at FROM monitors_deliveries d
                                WHERE d.channel = w.channel AND d.status = 'pending' AND d.due_at <= now()
                                AND NOT EXISTS (
                                    SELECT FROM monitors_deliveries earlier
                                    WHERE earlier.incident = d.incident AND earlier.channel = d.channel
                                    AND earlier.place < d.place AND earlier.status IN ('held', 'pending', 'sending'))
                                ORDER BY d.due_at
                                LIMIT greatest(0, :perChannel - coalesce(busy.count, 0))
                                FOR UPDATE OF d SKIP LOCKED) due
                            ORDER BY due.due_at LIMIT :most
                        ), claimed AS (
                            UPDATE monitors_deliveries d SET status = 'sending', attempts = attempts + 1,
                                fence = fence + 1, lease_until = now() + :lease * interval '1 ms', last_attempt_at = now()
                            FROM chosen WHERE d.id = chosen.id
                            RETURNING d.*
                        )
                        SELECT claimed.*, c.settings
                        FROM claimed LEFT JOIN monitors_channels c ON c.id = claimed.channel""")
                .bindArray("channels", String.class, busy.keySet())
                .bindArray("counts", Integer.class, busy.values())
                .bind("perChannel", perChannel)
                .bind("most", most)
                .bind("lease", lease.toMillis())
                .map((row, context) -> claimed(row))
                .list());
    }

    /** False when the claim is not ours any more, here as below. */
    boolean delivered(Claimed claimed, @Nullable String note) {
        return database.withHandle(handle -> held(
                                handle.createUpdate("UPDATE monitors_deliveries SET"
                                        + " status = 'delivered', delivered_at = now(), lease_until = NULL, error = :note"
                                        + MINE),
                                claimed)
                        .bind("note", note)
                        .execute())
                == 1;
    }

    /**
     * Pending again after the wait, unless there were too many attempts or it is too old: then it is dead. If the channel
     * was deleted meanwhile there is nothing to wait for. What follows it is put off as well: it could not be sent before,
     * and a claim would have to step over it each time (100,000 such rows: 1.5 s a claim).
     */
    boolean failed(Claimed claimed, String error, Duration wait, AlertOptions.Retries retries) {
        return database.withHandle(handle -> handle.createQuery("""
                                WITH mine AS (
                                    UPDATE monitors_deliveries SET
                                        status = CASE WHEN attempts >= :attempts
                                            OR ready_at + :give_up * interval '1 ms' <= now() + :wait * interval '1 ms'
                                            THEN 'dead' ELSE 'pending' END,
                                        due_at = CASE WHEN EXISTS (SELECT FROM monitors_channels c WHERE c.id = channel)
                                            THEN now() + :wait * interval '1 ms' ELSE now() END,
                                        lease_until = NULL, error = :error
                                    WHERE id = :id AND fence = :fence AND status IN ('sending', 'pending')
                                    RETURNING incident, channel, place, status, due_at
                                ), followers AS (
                                    SELECT d.id, mine.due_at FROM mine
                                    JOIN monitors_deliveries d ON d.incident = mine.incident AND d.channel = mine.channel
                                    WHERE mine.status = 'pending' AND d.status = 'pending'
                                    AND d.place > mine.place AND d.due_at < mine.due_at
                                    FOR UPDATE OF d SKIP LOCKED
                                ), put_off AS (
                                    UPDATE monitors_deliveries d SET due_at = followers.due_at
                                    FROM followers WHERE d.id = followers.id
                                )
                                SELECT count(*) FROM mine""")
                        .bind("id", claimed.id)
                        .bind("fence", claimed.fence)
                        .bind("attempts", retries.attempts())
                        .bind("give_up", retries.giveUpAfter().toMillis())
                        .bind("wait", wait.toMillis())
                        .bind("error", error)
                        .mapTo(int.class)
                        .one())
                == 1;
    }

    boolean dead(Claimed claimed, String error) {
        return database.withHandle(handle -> held(
                                handle.createUpdate("UPDATE monitors_deliveries SET"
                                        + " status = 'dead', lease_until = NULL, error = :error" + MINE),
                                claimed)
                        .bind("error", error)
                        .execute())
                == 1;
    }

    boolean replay(long id) {
        return database.withHandle(
                        handle -> handle.createUpdate("""
                                UPDATE monitors_deliveries
                                SET status = 'pending', attempts = 0, ready_at = now(), due_at = now()
                                WHERE id = :id AND status = 'dead'""").bind("id", id).execute())
                == 1;
    }

    Backlog backlog() {
        return database.withHandle(handle -> handle.createQuery("""
                        SELECT count(*) FILTER (WHERE status IN ('pending', 'sending')) AS waiting,
                            count(*) FILTER (WHERE status = 'held') AS held,
                            count(*) FILTER (WHERE status = 'dead') AS dead,
                            count(*) FILTER (WHERE status = 'dead' AND last_attempt_at > now() - interval '1 day') AS lately,
                            extract(epoch FROM now() - min(ready_at) FILTER (WHERE status IN ('pending', 'sending'))) AS oldest
                        FROM monitors_deliveries WHERE status IN ('held', 'pending', 'sending', 'dead')""")
                .map((row, context) -> new Backlog(
                        row.getLong("waiting"),
                        row.getLong("held"),
                        row.getLong("dead"),
                        row.getLong("lately"),
                        Duration.ofMillis((long) (row.getDouble("oldest") * 1000))))
                .one());
    }

    /** Deletes what has come to an end and was added before; a bounded number at once, so that no lock is held for long. */
    int purge(Instant before) {
        int all = 0;
        int deleted;
        do {
            deleted = database.withHandle(handle -> handle.createUpdate("""
                            DELETE FROM monitors_deliveries WHERE id IN (
                                SELECT id FROM monitors_deliveries
                                WHERE created_at < :before AND status IN ('delivered', 'dead', 'dropped')
                                ORDER BY created_at LIMIT :most)""")
                    .bind("before", before.atOffset(ZoneOffset.UTC))
                    .bind("most", PURGED_AT_ONCE)
                    .execute());
            all += deleted;
        } while (deleted == PURGED_AT_ONCE);
        return all;
    }

    private static Update held(Update update, Claimed claimed) {
        return update.bind("id", claimed.id).bind("fence", claimed.fence);
    }

    private static Claimed claimed(ResultSet row) throws SQLException {
        Alert.Kind kind = Alert.Kind.valueOf(row.getString("kind").toUpperCase(Locale.ROOT));
        String channel = row.getString("channel");
        return new Claimed(
                row.getLong("id"),
                row.getLong("fence"),
                row.getInt("attempts"),
                channel,
                kind.key(row.getLong("incident"), row.getInt("sequence"), channel),
                row.getString("message"),
                row.getString("settings"));
    }
}
