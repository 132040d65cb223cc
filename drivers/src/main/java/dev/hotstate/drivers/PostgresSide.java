package dev.hotstate.drivers;

import dev.hotstate.store.Database;

/** All that is asked of PostgreSQL and decides; maps, searches and positions are read and written beside it. */
record PostgresSide(PostgresDrivers drivers, PostgresTruth truth, PostgresReservations reservations) {
    static PostgresSide of(Database database) {
        return new PostgresSide(
                new PostgresDrivers(database), new PostgresTruth(database), new PostgresReservations(database));
    }
}
