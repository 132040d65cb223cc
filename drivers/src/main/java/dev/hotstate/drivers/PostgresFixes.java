package dev.hotstate.drivers;

import dev.hotstate.drivers.StoredDriver.LastFix;
import dev.hotstate.store.Database;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;
import org.jspecify.annotations.Nullable;

/**
 * Where drivers are, as it comes from Redis. A place that is not newer than the one here is refused by the rule that Redis
 * has; a status counts only where nothing was decided meanwhile.
 */
final class PostgresFixes {
    private static final int AT_ONCE = 5_000;

    private static final String WRITE = """
            INSERT INTO drivers_drivers AS p (id, region, epoch, version, synced, decided_at, status, since,
                last_active_at, cell, current_lat, current_lon, area, heading, speed, seq, fixed_at)
            SELECT id, region, epoch::bigint, version::bigint, version::bigint, now(), status, since::timestamptz,
                seen::timestamptz, cell::bigint, lat::double precision, lon::double precision, area::integer,
                heading::double precision, speed::double precision, seq::bigint, at::timestamptz
            FROM unnest(:id::text[], :region::text[], :epoch::text[], :version::text[], :status::text[], :since::text[],
                :seen::text[], :cell::text[], :lat::text[], :lon::text[], :area::text[], :heading::text[],
                :speed::text[], :seq::text[], :at::text[])
                AS fresh (id, region, epoch, version, status, since, seen, cell, lat, lon, area, heading, speed, seq, at)
            ON CONFLICT (id) DO UPDATE SET
                (cell, current_lat, current_lon, area, heading, speed, seq, fixed_at) = (
                    SELECT excluded.cell, excluded.current_lat, excluded.current_lon, excluded.area, excluded.heading,
                        excluded.speed, coalesce(excluded.seq, p.seq), excluded.fixed_at
                    WHERE excluded.cell IS NOT NULL AND (p.fixed_at IS NULL OR p.forgotten
                        OR coalesce(excluded.seq > p.seq, excluded.fixed_at > p.fixed_at))
                    UNION ALL
                    SELECT p.cell, p.current_lat, p.current_lon, p.area, p.heading, p.speed, p.seq, p.fixed_at
                    LIMIT 1),
                (status, since) = (
                    SELECT excluded.status, excluded.since
                    WHERE p.status <> 'BUSY' AND NOT p.chosen AND excluded.status <> 'BUSY'
                        AND p.status <> excluded.status AND p.region = excluded.region
                        AND p.ruled <= excluded.version
                        AND p.since <= greatest(excluded.since, excluded.last_active_at)
                    UNION ALL
                    SELECT p.status, p.since
                    LIMIT 1),
                last_active_at = greatest(p.last_active_at, excluded.last_active_at),
                synced = CASE WHEN excluded.version < p.version THEN least(p.synced, excluded.version)
                    ELSE p.synced END,
                forgotten = p.forgotten AND excluded.cell IS NULL""";

    private final Database database;

    PostgresFixes(Database database) {
        this.database = database;
    }

    void write(Collection<Behind> all) {
        // In the order of their ids, because two instances that write the same rows in different orders could each wait
        // for the other.
        List<Behind> ordered =
                all.stream().sorted(Comparator.comparing(Behind::id)).toList();
        for (int from = 0; from < ordered.size(); from += AT_ONCE) {
            List<Behind> some = ordered.subList(from, Math.min(from + AT_ONCE, ordered.size()));
            database.useTransaction(handle -> write(handle, some));
        }
    }

    private static void write(Handle handle, List<Behind> some) {
        Update update = handle.createUpdate(WRITE);
        bind(update, "id", some, Behind::id);
        bind(update, "region", some, Behind::region);
        bind(update, "epoch", some, Behind::epoch);
        bind(update, "version", some, Behind::version);
        bind(update, "status", some, Behind::status);
        bind(update, "since", some, Behind::since);
        bind(update, "seen", some, Behind::seenAt);
        bind(update, "cell", some, ofLast(LastFix::cell));
        bind(update, "lat", some, ofLast(last -> Cell.lat(last.cell())));
        bind(update, "lon", some, ofLast(last -> Cell.lon(last.cell())));
        bind(update, "area", some, ofLast(last -> Areas.of(last.cell())));
        bind(update, "heading", some, ofLast(LastFix::heading));
        bind(update, "speed", some, ofLast(LastFix::speed));
        bind(update, "seq", some, ofLast(LastFix::seq));
        bind(update, "at", some, ofLast(LastFix::at));
        update.execute();
        some.stream()
                .map(Behind::seenAt)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .ifPresent(newest -> handle.createUpdate(
                                "UPDATE drivers_marks SET as_of = :newest WHERE as_of IS NULL OR as_of < :newest")
                        .bind("newest", PostgresRows.time(newest))
                        .execute());
    }

    private static Function<Behind, @Nullable Object> ofLast(Function<LastFix, ? extends @Nullable Object> part) {
        return behind -> behind.last() == null ? null : part.apply(behind.last());
    }

    private static void bind(
            Update update, String name, List<Behind> some, Function<Behind, ? extends @Nullable Object> value) {
        String[] texts = new String[some.size()];
        for (int i = 0; i < texts.length; i++) {
            Object raw = value.apply(some.get(i));
            texts[i] = raw == null ? null : raw.toString();
        }
        update.bindArray(name, String.class, (Object[]) texts);
    }
}
