package dev.hotstate.drivers;

import dev.hotstate.core.HotstateException;
import dev.hotstate.core.Slice;
import dev.hotstate.store.StoreException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who drivers are, and what is decided of them: PostgreSQL first, then Redis. */
final class Registry {
    private static final Logger log = LoggerFactory.getLogger(Registry.class);

    private final PostgresDrivers drivers;
    private final PostgresTruth truth;
    private final RedisLook look;
    private final Settling settling;
    private final Journeys journeys;
    private final WriteBehind behind;

    Registry(RedisLook look, PostgresSide postgres, Settling settling, Journeys journeys, WriteBehind behind) {
        this.look = look;
        this.drivers = postgres.drivers();
        this.truth = postgres.truth();
        this.settling = settling;
        this.journeys = journeys;
        this.behind = behind;
    }

    DriverView mark(String id, Status status) {
        StoredDriver marked = truth.mark(id, status)
                .or(() -> enroll(id) ? truth.mark(id, status) : Optional.empty())
                .orElseThrow(() -> new UnknownDriverException("there is no driver \"" + id + "\""));
        settling.settle(marked, status == Status.AVAILABLE);
        return view(marked);
    }

    DriverView describe(String id, Profile profile) {
        if (drivers.find(id).isEmpty()) {
            enrollIfSeen(id);
        }
        StoredDriver described = truth.describe(id, profile);
        settling.settle(described, false);
        return view(described);
    }

    Optional<DriverView> find(String id) {
        Optional<StoredDriver> row;
        try {
            row = drivers.find(id);
        } catch (StoreException away) {
            return Optional.of(seen(id).orElseThrow(() -> away));
        }
        return row.isPresent() ? row.map(this::view) : seen(id);
    }

    Slice<DriverView> list(@Nullable Status status, @Nullable String q, @Nullable String cursor, int limit) {
        try {
            // Whoever has just told this instance of a driver finds it.
            behind.flush();
        } catch (HotstateException notNow) {
            log.debug("a list is of a second ago: {}", notNow.getMessage());
        }
        List<StoredDriver> rows = drivers.list(status, q, cursor == null ? "" : cursor, limit + 1);
        List<StoredDriver> page = rows.size() > limit ? rows.subList(0, limit) : rows;
        return new Slice<>(
                page.stream().map(StoredDriver::view).toList(),
                rows.size() > limit ? page.getLast().id() : null);
    }

    /** As Redis has it where it is; what was decided and has not reached Redis counts all the same. */
    private DriverView view(StoredDriver row) {
        try {
            LiveDriver live = look.drivers(row.partition(), List.of(row.id())).get(row.id());
            if (live == null) {
                return row.view();
            }
            DriverView seen =
                    live.view(row.region(), row.profile().name(), row.profile().vehicle());
            return live.line().version() >= row.version() ? seen : decided(seen, row.view());
        } catch (HotstateException | IllegalArgumentException away) {
            log.debug("{} is shown as PostgreSQL has it: {}", row.id(), away.getMessage());
            return row.view();
        }
    }

    private static DriverView decided(DriverView seen, DriverView row) {
        return new DriverView(
                row.id(),
                row.status(),
                row.region(),
                row.profile(),
                seen.lat(),
                seen.lon(),
                seen.heading(),
                seen.speed(),
                seen.seq(),
                seen.at(),
                seen.seenAt(),
                row.since(),
                row.reservedUntil());
    }

    private Optional<DriverView> seen(String id) {
        return Optional.ofNullable(journeys.find(List.of(id)).get(id))
                .map(where -> where.driver().view(where.region(), null, null));
    }

    /** One that has just come may have no row yet. */
    private boolean enroll(String id) {
        return Optional.ofNullable(journeys.find(List.of(id)).get(id))
                .map(where -> {
                    drivers.enter(id, where.region(), where.driver().line().epoch());
                    return true;
                })
                .orElse(false);
    }

    private void enrollIfSeen(String id) {
        try {
            enroll(id);
        } catch (HotstateException away) {
            log.debug("{} is new, as far as is known: {}", id, away.getMessage());
        }
    }
}
